#include "ops/document_include.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "plan/typing/parse_form.hpp"
#include "tables/columns.hpp"
#include "values/pointer.hpp"

namespace gantry::data {
namespace {

constexpr std::ptrdiff_t kMostPointers = 5;
constexpr std::size_t kIdsARead = 500;

using Visit = std::function<void(Value&)>;
using ObjectsById = std::unordered_map<std::string, Value>;

bool is_pointer(const Value& value) { return !pointer_id(value).is_missing(); }

// Visits each pointer at `path`, through arrays.
void visit_pointers(Value& at, std::string_view path, const Visit& visit) {
  if (at.is_array()) {
    for (Value& element : at.own_elements()) visit_pointers(element, path, visit);
  } else if (path.empty()) {
    if (is_pointer(at)) visit(at);
  } else if (at.is_object() && !at.find(root_of(path)).is_missing()) {
    const auto dot = path.find('.');
    const std::string_view rest = dot == std::string_view::npos ? "" : path.substr(dot + 1);
    for (Member& member : at.own_members()) {
      if (member.name == root_of(path)) visit_pointers(member.value, rest, visit);
    }
  }
}

Array read_objects(const ReadContext& context, const ClassView& cls,
                   std::vector<std::string_view> ids) {
  if (!cls.has_ids()) return {};
  Read read;
  read.view = &cls;
  read.ids = std::move(ids);
  read.as_objects = true;
  Array found = read_documents(context, read).list;
  if (!cls.is_open()) {
    const typing::TypePtr type = typing::document_of(&cls);
    for (Value& object : found) object = typing::in_parse_form(object, *type);
  }
  return one_of_each_id(std::move(found));
}

Value included(const ClassView& cls, const Value& object,
               const std::optional<IncludeNarrowing>& narrowing) {
  Members members{{"__type", Value::string("Object")}, {"className", Value::string(cls.name)}};
  std::copy_if(object.members().begin(), object.members().end(), std::back_inserter(members),
               [&](const Member& one) { return !narrowing || narrowing->keeps(one.name); });
  return ObjectBuilder(std::move(members)).build();
}

ObjectsById fetch(const ReadContext& context, const ClassView& cls,
                  const std::set<std::string>& ids,
                  const std::optional<IncludeNarrowing>& narrowing) {
  ObjectsById objects;
  std::vector<std::string_view> some;
  const auto read = [&] {
    for (const Value& object : read_objects(context, cls, std::exchange(some, {}))) {
      objects.emplace(object.find("objectId").text(), included(cls, object, narrowing));
    }
  };
  for (const std::string& id : ids) {
    some.push_back(id);
    if (some.size() == kIdsARead) read();
  }
  if (!some.empty()) read();
  return objects;
}

// `is_bare`: the objects are narrowed. Returns the fields that they lack therefore.
std::vector<std::string> include_at(const ReadContext& context, std::string_view path, bool is_bare,
                                    Array& documents) {
  std::vector<std::string> dropped;
  std::map<std::string, std::set<std::string>> wanted;
  const Visit want = [&](Value& pointer) {
    wanted[std::string(pointer.find("className").text())].emplace(pointer_id(pointer).text());
  };
  for (Value& document : documents) visit_pointers(document, path, want);
  std::map<std::string, ObjectsById> found;
  for (const auto& [name, ids] : wanted) {
    const ClassView* cls = context.scope.open(name);
    if (cls == nullptr) continue;
    const auto narrowing = is_bare ? IncludeNarrowing::of(*cls) : std::optional<IncludeNarrowing>();
    found.emplace(name, fetch(context, *cls, ids, narrowing));
    if (!narrowing) continue;
    for (std::string& field : narrowing->dropped()) dropped.push_back(std::move(field));
  }
  const Visit put = [&](Value& pointer) {
    const auto cls = found.find(std::string(pointer.find("className").text()));
    if (cls == found.end()) return;
    const auto object = cls->second.find(std::string(pointer_id(pointer).text()));
    if (object != cls->second.end()) pointer = object->second;
  };
  for (Value& document : documents) visit_pointers(document, path, put);
  return dropped;
}

}  // namespace

void check_includes(const Shape& shape) {
  for (const std::string_view path : shape.includes) {
    if (std::count(path.begin(), path.end(), '.') >= kMostPointers) {
      throw QueryError(invalid_argument("include: paths are at most 5 pointers deep"));
    }
  }
}

Array one_of_each_id(Array documents) {
  std::map<std::string, std::size_t, std::less<>> at;  // by objectId
  Array found;
  for (Value& document : documents) {
    const auto [known, is_new] = at.emplace(document.find("objectId").text(), found.size());
    if (is_new) {
      found.push_back(std::move(document));
    } else if (document.find("_id").is_string() && !found[known->second].find("_id").is_string()) {
      found[known->second] = std::move(document);
    }
  }
  return found;
}

std::vector<NarrowedPointer> include_pointers(const ReadContext& context, const Shape& shape,
                                              Array& documents) {
  std::set<std::string_view> done;
  std::vector<NarrowedPointer> narrowed;
  for (const std::string_view path : shape.includes) {
    for (auto dot = path.find('.');; dot = path.find('.', dot + 1)) {
      const std::string_view begin = path.substr(0, dot);
      if (done.insert(begin).second) {
        auto dropped = include_at(context, begin, is_bare_include(shape, begin), documents);
        narrowed.push_back({std::string(begin), std::move(dropped)});
      }
      if (dot == std::string_view::npos) break;
    }
  }
  return narrowed;
}

}  // namespace gantry::data

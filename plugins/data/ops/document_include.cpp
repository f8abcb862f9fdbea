#include "ops/document_include.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>

#include "ops/document_find.hpp"
#include "plan/pipeline_run.hpp"
#include "plan/plan_column.hpp"
#include "rows/document_dialect.hpp"
#include "values/pointer.hpp"

namespace gantry::data {
namespace {

constexpr std::ptrdiff_t kMostPointers = 5;
constexpr std::size_t kIdsARead = 500;

using Visit = std::function<void(Value&)>;
using ObjectsById = std::unordered_map<std::string, Value>;

std::string_view root_of(std::string_view path) { return path.substr(0, path.find('.')); }

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

Array read_typed(const Request& request, const ClassView& cls, Array ids) {
  Pipeline pipeline;
  pipeline.cls = &cls;
  if (auto where = index_lookup_condition(cls, "objectId", ids)) {
    pipeline.where.plain = std::move(*where);
  }
  pipeline.stages = Value::array(
      {object_of("$match", object_of("objectId", object_of("$in", Value::array(std::move(ids)))))});
  Array found = run_pipeline(request, pipeline).list;
  apply_dialect(found, false);
  return found;
}

Array read_objects(const Request& request, const ClassView& cls, const Array& ids) {
  if (!cls.is_document()) return read_typed(request, cls, ids);
  std::vector<std::string_view> texts;
  for (const Value& id : ids) texts.push_back(id.text());
  return find_by_ids(request, cls, texts, {});
}

Value included(const ClassView& cls, const Value& object) {
  Members members{{"__type", Value::string("Object")}, {"className", Value::string(cls.name)}};
  members.insert(members.end(), object.members().begin(), object.members().end());
  return ObjectBuilder(std::move(members)).build();
}

ObjectsById fetch(const Request& request, const ClassView& cls, const std::set<std::string>& ids) {
  ObjectsById objects;
  Array some;
  const auto read = [&] {
    for (const Value& object : read_objects(request, cls, some)) {
      objects.emplace(object.find("objectId").text(), included(cls, object));
    }
    some.clear();
  };
  for (const std::string& id : ids) {
    some.push_back(Value::string(id));
    if (some.size() == kIdsARead) read();
  }
  if (!some.empty()) read();
  return objects;
}

void include_at(const Request& request, std::string_view path, Array& documents) {
  std::map<std::string, std::set<std::string>> wanted;
  const Visit want = [&](Value& pointer) {
    wanted[std::string(pointer.find("className").text())].emplace(pointer_id(pointer).text());
  };
  for (Value& document : documents) visit_pointers(document, path, want);
  std::map<std::string, ObjectsById> found;
  for (const auto& [name, ids] : wanted) {
    const ClassView* cls = request.scope.open(name);
    if (cls != nullptr) found.emplace(name, fetch(request, *cls, ids));
  }
  const Visit put = [&](Value& pointer) {
    const auto cls = found.find(std::string(pointer.find("className").text()));
    if (cls == found.end()) return;
    const auto object = cls->second.find(std::string(pointer_id(pointer).text()));
    if (object != cls->second.end()) pointer = object->second;
  };
  for (Value& document : documents) visit_pointers(document, path, put);
}

}  // namespace

Including requested_include(const Request& request) {
  Including including{optional_strings(request, "keys", kMostKeyArguments),
                      optional_strings(request, "include", kMostIncludes)};
  for (const std::string_view path : including.paths) {
    if (std::count(path.begin(), path.end(), '.') >= kMostPointers) {
      throw QueryError(invalid_argument("include: paths are at most 5 pointers deep"));
    }
    for (std::string_view& key : including.keys) {
      if (root_of(key) == root_of(path)) key = root_of(path);
    }
    if (!including.keys.empty()) including.keys.push_back(root_of(path));
  }
  return including;
}

void include_pointers(const Request& request, const std::vector<std::string_view>& paths,
                      Array& documents) {
  std::set<std::string_view> done;
  for (const std::string_view path : paths) {
    for (auto dot = path.find('.');; dot = path.find('.', dot + 1)) {
      const std::string_view begin = path.substr(0, dot);
      if (done.insert(begin).second) include_at(request, begin, documents);
      if (dot == std::string_view::npos) break;
    }
  }
}

}  // namespace gantry::data

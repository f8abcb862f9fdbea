#include "expr/sort_order.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "errors/query_error.hpp"
#include "expr/path.hpp"
#include "expr/registry.hpp"

namespace gantry::data::expr {
namespace {

constexpr std::ptrdiff_t kMostFields = 32;

using Path = std::vector<std::string>;

[[noreturn]] void refuse_order(std::string_view op, std::string_view text) {
  throw QueryError(std::string(op) + ": " + std::string(text) + ".");
}

std::string dotted(const Path& path) {
  std::string text;
  for (const std::string& part : path) text += (text.empty() ? "" : ".") + part;
  return text;
}

bool is_meta(const Value& value, std::string_view name) {
  const Value& meta = value.find("$meta");
  return meta.is_string() && value.members().size() == 1 && meta.text() == name;
}

// 1 or -1; fractions are truncated.
int direction_of(std::string_view op, const Value& value) {
  if (!value.is_number()) refuse_type(op, "1 or -1 as a field's order", value);
  const double whole = value.is_real() ? std::trunc(value.real()) : value.number();
  if (whole != 1 && whole != -1) refuse_order(op, "a field's order must be 1 or -1");
  return static_cast<int>(whole);
}

// The element at the index `part`, or null.
const Value* element_named(const Array& elements, const std::string& part) {
  std::size_t place = 0;
  const char* const end = part.data() + part.size();
  const auto read = std::from_chars(part.data(), end, place);
  const bool is_place = read.ec == std::errc() && read.ptr == end;
  return is_place && place < elements.size() ? &elements[place] : nullptr;
}

}  // namespace

SortOrder::SortOrder(std::string_view op, const Value& spec) : op_(op) {
  if (!spec.is_object()) refuse_type(op, "an object like {field: 1} to sort by", spec);
  if (spec.members().empty()) refuse_order(op, "wants at least one field to sort by");
  for (const Member& member : spec.members()) add_field(member);
  const auto count = std::count_if(fields_.begin(), fields_.end(),
                                   [](const Field& field) { return !field.path.empty(); });
  if (count > kMostFields) refuse_order(op, "takes at most 32 fields");
}

void SortOrder::add_field(const Member& member) {
  if (is_meta(member.value, "searchScore")) return;  // ignored: there are no search scores
  if (is_meta(member.value, "randVal")) return fields_.push_back({{}, 1});
  if (member.value.is_object()) {
    refuse_order(op_,
                 "a field's order must be 1 or -1; $meta is not supported, add the value as a "
                 "field with $addFields and sort by that");
  }
  const int direction = direction_of(op_, member.value);
  fields_.push_back({split_path(member.name), direction});
}

void SortOrder::add_paths(std::set<std::string>& paths) const {
  for (const Field& field : fields_) {
    if (!field.path.empty()) paths.insert(dotted(field.path));
  }
}

void SortOrder::draw(SortKey& key, const std::function<double()>& random) const {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (fields_[i].path.empty()) key[i] = Value::real(random());
  }
}

int SortOrder::compare(const SortKey& a, const SortKey& b) const {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const int order = data::compare(a[i], b[i]);
    if (order != 0) return fields_[i].direction < 0 ? -order : order;
  }
  return 0;
}

// Continues through objects and explicit array indexes, until a value or an array with several
// candidates.
void SortOrder::advance(Walk& walk, const Path& path) const {
  while (!walk.done && !walk.value.is_array()) {
    if (walk.part == path.size()) {
      walk.done = true;
    } else {
      walk.value = Value(walk.value.find(path[walk.part]));
      ++walk.part;
    }
  }
  if (walk.done || walk.part == path.size()) return;
  const Value* const element = element_named(walk.value.elements(), path[walk.part]);
  if (element == nullptr) return;
  walk.value = Value(*element);
  ++walk.part;
  advance(walk, path);
}

bool SortOrder::key_without_arrays(const Value& document, SortKey& key) const {
  key.reserve(fields_.size());
  for (const Field& field : fields_) {
    static const Value kNone;
    const Value* at = field.path.empty() ? &kNone : &document;
    for (const std::string& part : field.path) {
      at = &at->find(part);
      if (at->is_array()) return false;
    }
    key.push_back(at->is_missing() ? Value::null() : *at);
  }
  return true;
}

SortKey SortOrder::key_of(const Value& document) const {
  if (SortKey key; key_without_arrays(document, key)) return key;
  Walks walks(fields_.size());
  for (std::size_t i = 0; i < walks.size(); ++i) {
    if (!fields_[i].path.empty()) walks[i].value = document;
  }
  SortKey best;
  expand(std::move(walks), best);
  return best;
}

const SortOrder::Walk* SortOrder::array_among(const Walks& walks) const {
  const Walk* found = nullptr;
  std::size_t field = 0;
  for (std::size_t i = 0; i < walks.size(); ++i) {
    if (walks[i].done) continue;
    if (found == nullptr) {
      found = &walks[i];
      field = i;
      continue;
    }
    const Path& a = fields_[field].path;
    const Path& b = fields_[i].path;
    const auto parts = static_cast<std::ptrdiff_t>(found->part);
    const bool is_same =
        walks[i].part == found->part && std::equal(a.begin(), a.begin() + parts, b.begin());
    if (!is_same) {
      refuse_order(op_, "a document has arrays in both '" + dotted(a) + "' and '" + dotted(b) +
                            "'; sort by one of them, or $unwind first");
    }
  }
  return found;
}

void SortOrder::into_element(Walk& walk, const Path& path, const Value& element) const {
  walk.value = element;
  if (walk.part == path.size()) {
    walk.done = true;
  } else if (element.is_array()) {  // directly nested arrays are not traversed
    walk.value = Value::null();
    walk.done = true;
  }
}

void SortOrder::expand(Walks walks, SortKey& best) const {
  for (std::size_t i = 0; i < walks.size(); ++i) advance(walks[i], fields_[i].path);
  const Walk* const found = array_among(walks);
  if (found == nullptr) return offer(walks, best);
  const Value array = found->value;
  const auto with = [&](const Value& element) {
    Walks next = walks;
    for (std::size_t i = 0; i < next.size(); ++i) {
      if (!next[i].done) into_element(next[i], fields_[i].path, element);
    }
    return next;
  };
  for (const Value& element : array.elements()) {
    Spending::step_current();
    expand(with(element), best);
  }
  if (!array.elements().empty()) return;
  Walks next = walks;
  for (std::size_t i = 0; i < next.size(); ++i) {
    if (next[i].done) continue;
    const bool is_leaf = next[i].part == fields_[i].path.size();
    // Missing sorts below null: the position of an empty array.
    next[i] = {is_leaf ? Value() : Value::null(), fields_[i].path.size(), true};
    if (is_leaf) next[i].part = 0;
  }
  offer(next, best);
}

void SortOrder::offer(const Walks& walks, SortKey& best) const {
  SortKey key;
  key.reserve(walks.size());
  for (const Walk& walk : walks) {
    const bool is_absent = walk.value.is_missing() && walk.part != 0;
    key.push_back(is_absent ? Value::null() : walk.value);
  }
  if (best.empty() || compare(key, best) < 0) best = std::move(key);
}

}  // namespace gantry::data::expr

#include "expr/ranking.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <iterator>
#include <span>

#include "expr/path.hpp"
#include "expr/registry.hpp"
#include "values/query_error.hpp"

namespace gantry::data::expr {
namespace {

using Visit = std::function<void(const Value&)>;
using Names = std::span<const std::string>;

// The value of `text` as a place in an array, or -1.
std::ptrdiff_t place_of(std::string_view text) {
  std::ptrdiff_t place = -1;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), place);
  return end.ec == std::errc() && end.ptr == text.data() + text.size() ? place : -1;
}

// An array counts by its elements; an empty one by nothing, which is below null.
void visit_leaf(const Value& value, const Visit& visit) {
  if (!value.is_array()) return visit(value.is_missing() ? Value::null() : value);
  if (value.elements().empty()) return visit(Value());
  for (const Value& element : value.elements()) visit(element);
}

void visit_path(const Value& value, Names names, const Visit& visit) {
  if (names.empty()) return visit_leaf(value, visit);
  if (!value.is_array()) return visit_path(value.find(names.front()), names.subspan(1), visit);
  const Array& elements = value.elements();
  const std::ptrdiff_t place = place_of(names.front());
  if (place >= 0 && static_cast<std::size_t>(place) < elements.size()) {
    return visit_path(elements[static_cast<std::size_t>(place)], names.subspan(1), visit);
  }
  if (elements.empty()) visit(Value::null());
  for (const Value& element : elements) {
    if (element.is_array()) {
      visit(Value::null());
    } else {
      visit_path(element.find(names.front()), names.subspan(1), visit);
    }
  }
}

bool reads_direction(std::string_view op, const Value& direction) {
  if (direction.is_number() && direction.number() == 1) return false;
  if (direction.is_number() && direction.number() == -1) return true;
  throw QueryError(std::string(op) + " sorts by {field: 1} or {field: -1}, nothing else.");
}

}  // namespace

SortOrder::SortOrder(std::string_view op, const Value& spec) {
  if (!spec.is_object()) refuse_type(op, "an object like {field: 1} as sortBy", spec);
  if (spec.members().empty()) throw QueryError(std::string(op) + " needs a field in sortBy.");
  for (const Member& member : spec.members()) {
    parts_.push_back(Part{split_path(member.name), reads_direction(op, member.value)});
  }
}

SortOrder::Key SortOrder::key_of(const Value& document) const {
  Key key;
  for (const Part& part : parts_) {
    Value best;
    bool is_first = true;
    visit_path(document, part.names, [&](const Value& value) {
      const int order = is_first ? 0 : compare(value, best);
      if (is_first || (part.descends ? order > 0 : order < 0)) best = value;
      is_first = false;
    });
    key.push_back(std::move(best));
  }
  return key;
}

int SortOrder::compare_keys(const Key& a, const Key& b) const {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (const int order = compare(a[i], b[i]); order != 0) {
      return parts_[i].descends ? -order : order;
    }
  }
  return 0;
}

void SortOrder::add_paths(std::set<std::string>& paths) const {
  for (const Part& part : parts_) {
    std::string path;
    for (const std::string& name : part.names) path += (path.empty() ? "" : ".") + name;
    paths.insert(std::move(path));
  }
}

void Ranking::add(Value value) {
  if (value.is_nullish()) return;
  SortOrder::Key key{value};
  add_keyed(std::move(key), std::move(value));
}

void Ranking::add_keyed(SortOrder::Key key, Value output) {
  if (kept_.size() == most_) {
    const auto worst = side_ == Side::top ? std::prev(kept_.end()) : kept_.begin();
    const Below below = kept_.key_comp();
    if (side_ == Side::top ? !below(key, worst->first) : !below(worst->first, key)) return;
    weight_ -= weight_of(worst->second);
    kept_.erase(worst);
  }
  if (output.is_missing()) output = Value::null();
  weight_ += weight_of(output);
  kept_.emplace(std::move(key), std::move(output));
}

Value Ranking::result() const {
  if (shape_ == Shape::single) return kept_.empty() ? Value::null() : kept_.begin()->second;
  Array outputs;
  outputs.reserve(kept_.size());
  for (const auto& [key, output] : kept_) outputs.push_back(output);
  if (shape_ == Shape::reversed) std::reverse(outputs.begin(), outputs.end());
  return Value::array(std::move(outputs));
}

}  // namespace gantry::data::expr

#include "expr/path.hpp"

#include <algorithm>
#include <array>

#include "errors/query_error.hpp"

namespace gantry::data::expr {
namespace {

constexpr std::size_t kLongest = 200;

[[noreturn]] void refuse_path(std::string_view what, std::string_view why) {
  throw QueryError("The field path \"" + std::string(what) + "\" " + std::string(why));
}

bool is_reference_part(std::string_view name) {
  static constexpr std::array<std::string_view, 3> kReferenceParts = {"$id", "$ref", "$db"};
  return std::find(kReferenceParts.begin(), kReferenceParts.end(), name) != kReferenceParts.end();
}

void check_part(std::string_view name, std::string_view whole) {
  if (name.empty())
    refuse_path(whole, "has an empty name; write names with single dots between them.");
  if (name.front() == '$' && !is_reference_part(name)) {
    refuse_path(whole, "has a name that begins with $; read such a field with $getField.");
  }
  if (name.find('\0') != std::string_view::npos) refuse_path(whole, "has a NUL byte in a name.");
}

Value through_array(const Array& elements, std::span<const std::string> names) {
  Spending::step_current();
  SmallSteps step;
  Array found;
  for (const Value& element : elements) {
    step();
    if (!element.is_object()) continue;
    Value value = value_at(element, names);
    if (!value.is_missing()) found.push_back(std::move(value));
  }
  return Value::array(std::move(found));
}

}  // namespace

std::vector<std::string> split_path(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    const std::string_view name = text.substr(begin, end - begin);
    check_part(name, text);
    names.emplace_back(name);
    begin = end + 1;
  }
  if (names.size() > kLongest) refuse_path(text, "has more than 200 names.");
  return names;
}

void check_field_name(std::string_view name) {
  if (name.find('.') != std::string_view::npos) {
    throw QueryError("The field name \"" + std::string(name) +
                     "\" of an object has a dot in it; nest an object, or use $setField.");
  }
  check_part(name, name);
}

Value value_at(const Value& start, std::span<const std::string> names) {
  const Value* at = &start;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (at->is_array()) return through_array(at->elements(), names.subspan(i));
    if (!at->is_object()) return Value();
    at = &at->find(names[i]);
  }
  return *at;
}

}  // namespace gantry::data::expr

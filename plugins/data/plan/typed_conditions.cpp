#include "plan/typed_conditions.hpp"

#include <algorithm>
#include <array>

#include "values/iso_date.hpp"

namespace gantry::data {
namespace {

constexpr int kDeepest = 100;

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Value date_of(const Value& value) {
  const auto instant = value.is_string() ? parse_iso_date(value.text()) : std::nullopt;
  return instant ? Value::date(*instant) : value;
}

Value id_of(const Value& value) {
  const Value& type = value.find("__type");
  const Value& id = value.find("objectId");
  const bool is_pointer = type.is_string() && type.text() == "Pointer" && id.is_string();
  return is_pointer ? id : value;
}

// Applies `change` to the operands of a condition's comparisons; `is_comparison` is false for other
// operators.
template <class Change>
Value changed(const Value& condition, Change change, bool& is_comparison, int depth) {
  const auto operators = [](const Value& value) {
    return value.is_object() && !value.members().empty() &&
           value.members().front().name.starts_with('$');
  };
  if (!operators(condition) || depth > kDeepest) return change(condition);
  ObjectBuilder typed;
  for (const auto& [name, operand] : condition.members()) {
    if (is_one_of(name, {"$eq", "$ne", "$gt", "$gte", "$lt", "$lte"})) {
      typed.add(name, change(operand));
    } else if (is_one_of(name, {"$in", "$nin"}) && operand.is_array()) {
      Array values;
      for (const Value& value : operand.elements()) values.push_back(change(value));
      typed.add(name, Value::array(std::move(values)));
    } else if (name == "$not" && operators(operand)) {
      typed.add(name, changed(operand, change, is_comparison, depth + 1));
    } else {
      is_comparison = is_comparison && is_one_of(name, {"$exists", "$regex", "$options"});
      typed.add(name, operand);
    }
  }
  return typed.build();
}

Value typed(const Value& condition, const Fields& fields, int depth);

Value typed_list(const Value& list, const Fields& fields, int depth) {
  if (!list.is_array() || depth > kDeepest) return list;
  Array conditions;
  for (const Value& one : list.elements()) conditions.push_back(typed(one, fields, depth + 1));
  return Value::array(std::move(conditions));
}

// Whether nothing needs a change, as for most conditions.
bool is_typed(const Value& condition, const Fields& fields) {
  const auto is_plain = [&](const Member& one) {
    return !is_one_of(one.name, {"$and", "$or", "$nor"}) && !fields.is_date(one.name) &&
           !fields.is_pointer(one.name);
  };
  return std::all_of(condition.members().begin(), condition.members().end(), is_plain);
}

Value typed(const Value& condition, const Fields& fields, int depth) {
  if (!condition.is_object() || is_typed(condition, fields)) return condition;
  ObjectBuilder builder;
  for (const auto& [name, value] : condition.members()) {
    bool is_comparison = true;
    if (is_one_of(name, {"$and", "$or", "$nor"})) {
      builder.add(name, typed_list(value, fields, depth));
    } else if (fields.is_date(name)) {
      builder.add(name, changed(value, date_of, is_comparison, 0));
    } else if (fields.is_pointer(name)) {
      Value on_id = changed(value, id_of, is_comparison, 0);
      builder.add(is_comparison ? name + ".objectId" : name, is_comparison ? on_id : value);
    } else {
      builder.add(name, value);
    }
  }
  return builder.build();
}

}  // namespace

const FieldView* Fields::find(std::string_view name) const {
  return cls == nullptr || hidden.count(name) > 0 ? nullptr : cls->named(name);
}

bool Fields::is_pointer(std::string_view name) const {
  const FieldView* const field = find(name);
  return field != nullptr && field->kind == Kind::pointer && !field->redacted;
}

bool Fields::is_date(std::string_view name) const {
  const FieldView* const field = find(name);
  return field != nullptr && field->kind == Kind::date;
}

Value bind_condition(const Value& condition, const Fields& fields) {
  return typed(condition, fields, 0);
}

}  // namespace gantry::data

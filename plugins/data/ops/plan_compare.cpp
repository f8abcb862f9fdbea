#include "ops/plan_compare.hpp"

#include <cmath>

#include "match/parser.hpp"
#include "ops/plan_matcher.hpp"
#include "where/scalar.hpp"

namespace gantry::data {
namespace {

using Form = PlanColumn::Form;
using where::Order;

Fragment never() { return {"0", {}}; }

bool is_nan(const Value& value) { return value.is_real() && std::isnan(value.real()); }

Fragment text_compare(const Field& field, Order order, const Value& operand) {
  Fragment sql = where::compare_sql(field, order, operand);
  if (order == Order::eq) return sql;
  Fragment both{"(", {}};
  both.add(sql).add(" AND gantry_match(").bind(string_matcher());
  return std::move(both.add(", " + field.column + "))"));
}

// Columns compared in their stored form: numbers, texts and blobs.
std::optional<Fragment> plain_compare(const Field& field, Order order, const Value& operand) {
  if (operand.is_bytes()) return std::nullopt;
  if (operand.is_string()) return text_compare(field, order, operand);
  if (!operand.is_number() || is_nan(operand)) return never();
  return where::compare_sql(field, order, operand);
}

// A stored 0 or 1 is a boolean; it does not match numbers.
std::optional<Fragment> boolean_compare(const Field& field, Order order, const Value& operand) {
  if (operand.is_boolean()) {
    return where::compare_sql(field, order, operand);
  }
  if (operand.is_number()) return std::nullopt;
  return plain_compare(field, order, operand);
}

std::optional<Fragment> date_compare(const Field& field, Order order, const Value& operand) {
  if (operand.is_date() && field.date_form == DateForm::iso_text) return std::nullopt;
  if (operand.is_date()) return plan_instant(field, order, operand.integer());
  if (operand.is_number() || operand.is_string() || operand.is_bytes()) return std::nullopt;
  return never();
}

// Ids are strings, whatever their stored type.
std::optional<Fragment> id_compare(const PlanColumn& column, Order order, const Value& operand) {
  const Field& field = column.field;
  if (!operand.is_string()) return never();
  // The id of a NULL key is "", which SQL cannot match.
  if (column.always_there && (order != Order::eq || operand.text().empty())) return std::nullopt;
  if (field.storage == Kind::string) return plain_compare(field, order, operand);
  const bool is_integer = field.storage == Kind::integer && order == Order::eq;
  if (!is_integer) return std::nullopt;
  const std::string text(operand.text());
  const std::int64_t number = std::strtoll(text.c_str(), nullptr, 10);
  if (std::to_string(number) != text) return never();
  return where::compare_sql(field, order, Value::integer(number));
}

bool is_within(const Value& operand, Form form) {
  if (operand.is_bytes()) return false;
  if (operand.is_boolean()) return form == Form::boolean;
  return operand.is_number() ? !is_nan(operand) : operand.is_string();
}

// One IN list for all values compared in their stored form.
std::optional<Fragment> plain_one_of(const PlanColumn& column, const Array& list) {
  Array values;
  for (const Value& value : list) {
    if (value.is_bytes()) return std::nullopt;
    if (value.is_nullish()) values.push_back(Value::null());
    if (is_within(value, column.form)) values.push_back(value);
  }
  return where::one_of_sql(column.field, where::OneOf(std::move(values)));
}

bool has_pattern(const Array& list) {
  for (const Value& value : list) {
    if (match::holds_operators(value)) return true;
  }
  return false;
}

}  // namespace

std::optional<Fragment> plan_compare(const PlanColumn& column, Order order, const Value& operand) {
  if (column.form == Form::other) return std::nullopt;
  if (operand.is_nullish()) {
    if (column.always_there) return never();
    return where::compare_sql(column.field, order, Value::null());
  }
  switch (column.form) {
    case Form::plain:
      return plain_compare(column.field, order, operand);
    case Form::boolean:
      return boolean_compare(column.field, order, operand);
    case Form::date:
      return date_compare(column.field, order, operand);
    default:
      return id_compare(column, order, operand);
  }
}

Fragment plan_bounds(const PlanColumn& column, Order order, const Value& operand) {
  if (column.form != Form::date || !operand.is_date()) return {};
  const Field& field = column.field;
  if (field.date_form != DateForm::iso_text) {
    return plan_instant_bounds(field, order, operand.integer());
  }
  const Fragment range = where::date_text_range(field, order, operand.integer());
  if (range.empty()) return {};
  return std::move(Fragment{"(", {}}.add(range).add(")"));
}

std::optional<Fragment> plan_one_of(const PlanColumn& column, const Array& list) {
  constexpr std::size_t kMostAlternatives = 50;
  if (column.form == Form::other || has_pattern(list)) return std::nullopt;
  const bool is_plain = column.form == Form::plain;
  if (is_plain) return plain_one_of(column, list);
  if (list.size() > kMostAlternatives) return std::nullopt;
  std::vector<Fragment> parts;
  for (const Value& value : list) {
    auto one = plan_compare(column, Order::eq, value);
    if (!one) return std::nullopt;
    parts.push_back(std::move(*one));
  }
  return where::joined(std::move(parts), " OR ", "0");
}

}  // namespace gantry::data

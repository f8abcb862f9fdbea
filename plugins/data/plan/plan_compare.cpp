#include "plan/plan_compare.hpp"

#include <algorithm>

#include "match/parser.hpp"
#include "sql/dialect.hpp"
#include "sql/scalar.hpp"

namespace gantry::data {
namespace {

using Type = FieldForm::Type;

Fragment never() { return {"0", {}}; }

std::optional<Fragment> id_compare(const PlanColumn& column, Order order, const Value& operand) {
  const Field& field = column.field;
  if (!operand.is_string()) return never();
  // The id of a NULL key is "", which SQL cannot match.
  if (column.always_there && (order != Order::eq || operand.text().empty())) return std::nullopt;
  if (field.storage == Kind::string) {
    return sqlite_dialect().compare(field, FieldForm::plain(), order, operand);
  }
  const bool is_integer = field.storage == Kind::integer && order == Order::eq;
  if (!is_integer) return std::nullopt;
  const std::string text(operand.text());
  const std::int64_t number = std::strtoll(text.c_str(), nullptr, 10);
  if (std::to_string(number) != text) return never();
  return compare_sql(field, order, Value::integer(number));
}

}  // namespace

std::optional<Fragment> plan_compare(const PlanColumn& column, Order order, const Value& operand) {
  if (!column.form) return std::nullopt;
  if (operand.is_nullish() && column.always_there) return never();
  if (column.is(Type::id) && !operand.is_nullish()) return id_compare(column, order, operand);
  const FieldForm form = column.is(Type::id) ? FieldForm::plain() : *column.form;
  return sqlite_dialect().compare(column.field, form, order, operand);
}

Fragment plan_bounds(const PlanColumn& column, Order order, const Value& operand) {
  if (!column.form) return {};
  return sqlite_dialect().compare_bounds(column.field, *column.form, order, operand);
}

std::optional<Fragment> plan_one_of(const PlanColumn& column, const Array& list) {
  constexpr std::size_t kMostAlternatives = 50;
  const bool has_patterns = std::any_of(list.begin(), list.end(), match::holds_operators);
  if (!column.form || has_patterns) return std::nullopt;
  if (!column.is(Type::id)) {
    return sqlite_dialect().one_of(column.field, *column.form, OneOf(list));
  }
  if (list.size() > kMostAlternatives) return std::nullopt;
  std::vector<Fragment> parts;
  for (const Value& value : list) {
    auto one = plan_compare(column, Order::eq, value);
    if (!one) return std::nullopt;
    parts.push_back(std::move(*one));
  }
  return joined(std::move(parts), " OR ", "0");
}

}  // namespace gantry::data

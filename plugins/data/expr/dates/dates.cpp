// $dateAdd, $dateSubtract, $dateDiff and $dateTrunc; the parts of dates are in date_parts.cpp.
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "errors/query_error.hpp"
#include "expr/dates/date_parts.hpp"
#include "expr/dates/date_units.hpp"
#include "expr/nodes.hpp"
#include "expr/registry.hpp"

namespace gantry::data::expr {
namespace {

constexpr int kSunday = 0;

// Whether a required argument, or a given optional one, is null or missing.
bool lacks_argument(const NamedArguments& arguments, std::size_t required) {
  for (std::size_t i = 0; i < arguments.values.size(); ++i) {
    if ((i < required || arguments.given[i]) && arguments[i].is_nullish()) return true;
  }
  return false;
}

// Must not be null: call lacks_argument() first.
TimeZone zone_or_utc(std::string_view op, const NamedArguments& arguments, std::size_t i) {
  return arguments.given[i] ? TimeZone::of(op, arguments[i]).value_or(TimeZone{}) : TimeZone{};
}

int week_start_at(std::string_view op, const NamedArguments& arguments, std::size_t i, Unit unit) {
  return unit == Unit::week && arguments.given[i] ? week_start_of(op, arguments[i]) : kSunday;
}

std::int64_t amount_of(std::string_view op, const Value& value) {
  const auto amount = whole_number(value);
  if (amount) return *amount;
  if (!value.is_number()) refuse_type(op, "a whole number as amount", value);
  throw QueryError(std::string(op) + " needs a whole number of 64 bits as amount");
}

constexpr std::array<Parameter, 4> kShift = {
    {{"startDate", true}, {"unit", true}, {"amount", true}, {"timezone"}}};

Value shifted(std::string_view op, const NamedArguments& arguments, bool forward) {
  if (lacks_argument(arguments, 3)) return Value::null();
  const Unit unit = unit_of(op, arguments[1]);
  const std::int64_t amount = amount_of(op, arguments[2]);
  const TimeZone zone = zone_or_utc(op, arguments, 3);
  const std::int64_t start = date_of(op, arguments[0]);
  if (forward) return Value::date(date_add(op, start, unit, amount, zone));
  if (amount == std::numeric_limits<std::int64_t>::min()) refuse_out_of_range(op);
  return Value::date(date_add(op, start, unit, -amount, zone));
}

Value add(const NamedArguments& arguments, Context&) {
  return shifted("$dateAdd", arguments, true);
}
Value subtract(const NamedArguments& arguments, Context&) {
  return shifted("$dateSubtract", arguments, false);
}

constexpr std::array<Parameter, 5> kDiff = {
    {{"startDate", true}, {"endDate", true}, {"unit", true}, {"timezone"}, {"startOfWeek"}}};

Value diff(const NamedArguments& arguments, Context&) {
  constexpr std::string_view op = "$dateDiff";
  if (lacks_argument(arguments, 3)) return Value::null();
  const Unit unit = unit_of(op, arguments[2]);
  const int week_start = week_start_at(op, arguments, 4, unit);
  const TimeZone zone = zone_or_utc(op, arguments, 3);
  const std::int64_t start = date_of(op, arguments[0]);
  const std::int64_t end = date_of(op, arguments[1]);
  return Value::int64(date_diff(op, start, end, unit, zone, week_start));
}

constexpr std::array<Parameter, 5> kTrunc = {
    {{"date", true}, {"unit", true}, {"binSize"}, {"timezone"}, {"startOfWeek"}}};

std::int64_t bin_size(std::string_view op, const NamedArguments& arguments, std::size_t i) {
  if (!arguments.given[i]) return 1;
  const auto size = whole_number(arguments[i]);
  if (!size && !arguments[i].is_number()) refuse_type(op, "a number as binSize", arguments[i]);
  if (!size || *size <= 0) {
    throw QueryError(std::string(op) + " needs a whole number above zero as binSize");
  }
  return *size;
}

Value trunc(const NamedArguments& arguments, Context&) {
  constexpr std::string_view op = "$dateTrunc";
  if (lacks_argument(arguments, 2)) return Value::null();
  const Unit unit = unit_of(op, arguments[1]);
  const std::int64_t size = bin_size(op, arguments, 2);
  const TimeZone zone = zone_or_utc(op, arguments, 3);
  const int week_start = week_start_at(op, arguments, 4, unit);
  return Value::date(date_trunc(op, date_of(op, arguments[0]), unit, size, zone, week_start));
}

constexpr std::array<NamedFunction, 2> kDateShifts = {
    {{"$dateAdd", kShift, add}, {"$dateSubtract", kShift, subtract}}};
constexpr NamedFunction kDateDiff = {"$dateDiff", kDiff, diff};
constexpr NamedFunction kDateTrunc = {"$dateTrunc", kTrunc, trunc};

// As in MongoDB, if all arguments are constant, an unused startOfWeek may even be null.
ExpressionPtr without_week(const NamedFunction& function, const Value& operand,
                           Variables& variables) {
  const Value& unit = operand.find("unit");
  const Value& week_start = operand.find("startOfWeek");
  if (week_start.is_missing() || !unit.is_string() || unit.text() == "week") return nullptr;
  if (parse_expression(week_start, variables)->constant() == nullptr) return nullptr;
  ObjectBuilder others(operand.members());
  ExpressionPtr call = parse_named_call(function, others.remove("startOfWeek").build(), variables);
  return call->constant() == nullptr ? nullptr : std::move(call);
}

ExpressionPtr parse_with_week(std::string_view name, const Value& operand, Variables& variables) {
  const NamedFunction& function = name == kDateDiff.name ? kDateDiff : kDateTrunc;
  ExpressionPtr simple = without_week(function, operand, variables);
  return simple ? std::move(simple) : parse_named_call(function, operand, variables);
}

// The date parts and the two tables above.
std::span<const Form> all_forms() {
  static const std::vector<Form> kForms = [] {
    std::vector<Form> forms(date_part_forms().begin(), date_part_forms().end());
    forms.push_back({kDateDiff.name, parse_with_week});
    forms.push_back({kDateTrunc.name, parse_with_week});
    return forms;
  }();
  return kForms;
}

}  // namespace

Family date_family() { return {{}, kDateShifts, all_forms()}; }

}  // namespace gantry::data::expr

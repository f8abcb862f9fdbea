#include "expr/dates/date_parts.hpp"

#include <array>
#include <string>
#include <utility>

#include "errors/query_error.hpp"
#include "expr/dates/date_units.hpp"

namespace gantry::data::expr {
namespace {

Value whole(std::int64_t number) { return Value::int32(static_cast<std::int32_t>(number)); }

struct Part {
  std::string_view name;
  Value (*of)(const WallTime& time);
};

constexpr std::array<Part, 13> kParts = {{
    {"$year", [](const WallTime& t) { return whole(civil_of(t.days).year); }},
    {"$month", [](const WallTime& t) { return whole(civil_of(t.days).month); }},
    {"$dayOfMonth", [](const WallTime& t) { return whole(civil_of(t.days).day); }},
    {"$dayOfWeek", [](const WallTime& t) { return whole(weekday(t.days) + 1); }},
    {"$dayOfYear", [](const WallTime& t) { return whole(day_of_year(t.days)); }},
    {"$week", [](const WallTime& t) { return whole(sunday_week(t.days)); }},
    {"$isoWeek", [](const WallTime& t) { return whole(iso_week_of(t.days).week); }},
    {"$isoWeekYear", [](const WallTime& t) { return Value::int64(iso_week_of(t.days).year); }},
    {"$isoDayOfWeek", [](const WallTime& t) { return whole(iso_weekday(t.days)); }},
    {"$hour", [](const WallTime& t) { return whole(t.ms / kHour); }},
    {"$minute", [](const WallTime& t) { return whole(t.ms / kMinute % 60); }},
    {"$second", [](const WallTime& t) { return whole(t.ms / kSecond % 60); }},
    {"$millisecond", [](const WallTime& t) { return whole(t.ms % kSecond); }},
}};

// A part of a date, in a time zone if one is given.
template <std::size_t I>
Value call_part(Arguments arguments, Context&) {
  const Part& part = kParts[I];
  if (arguments[0].is_nullish()) return Value::null();
  TimeZone zone;
  if (arguments.size() > 1) {
    const auto named = TimeZone::of(part.name, arguments[1]);
    if (!named) return Value::null();
    zone = *named;
  }
  return part.of(zone.wall_at(date_of(part.name, arguments[0])));
}

template <std::size_t... I>
constexpr std::array<Function, sizeof...(I)> functions_of(std::index_sequence<I...>) {
  return {Function{kParts[I].name, 1, 2, call_part<I>}...};
}
constexpr auto kDatePartFunctions = functions_of(std::make_index_sequence<kParts.size()>());

const Function& function_of(std::string_view name) {
  for (const Function& one : kDatePartFunctions) {
    if (one.name == name) return one;
  }
  throw QueryError(std::string(name) + " is no part of a date");
}

// {date, timezone}
std::vector<ExpressionPtr> parse_fields(std::string_view name, const Value& operand,
                                        Variables& variables) {
  for (const Member& member : operand.members()) {
    if (member.name == "date" || member.name == "timezone") continue;
    throw QueryError(std::string(name) + " takes 'date' and 'timezone', not '" + member.name + "'");
  }
  const Value& date = operand.find("date");
  const Value& zone = operand.find("timezone");
  if (date.is_missing()) throw QueryError(std::string(name) + " needs 'date'");
  std::vector<ExpressionPtr> operands;
  operands.push_back(parse_expression(date, variables));
  if (!zone.is_missing()) operands.push_back(parse_expression(zone, variables));
  return operands;
}

bool is_operator_call(const Value& operand) {
  return !operand.members().empty() && operand.members()[0].name.starts_with('$');
}

ExpressionPtr parse_part(std::string_view name, const Value& operand, Variables& variables) {
  const Function& function = function_of(name);
  if (operand.is_object() && !is_operator_call(operand)) {
    return call_expression(function, parse_fields(name, operand, variables));
  }
  if (operand.is_array() && operand.elements().size() != 1) {
    throw QueryError(std::string(name) +
                     " takes one date; give a time zone as {date: …, timezone: …}");
  }
  std::vector<ExpressionPtr> operands;
  operands.push_back(
      parse_expression(operand.is_array() ? operand.elements()[0] : operand, variables));
  return call_expression(function, std::move(operands));
}

template <std::size_t... I>
constexpr std::array<Form, sizeof...(I)> forms_of(std::index_sequence<I...>) {
  return {Form{kParts[I].name, parse_part}...};
}
constexpr auto kDatePartForms = forms_of(std::make_index_sequence<kParts.size()>());

}  // namespace

std::span<const Form> date_part_forms() { return kDatePartForms; }

}  // namespace gantry::data::expr

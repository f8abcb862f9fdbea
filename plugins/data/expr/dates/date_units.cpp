#include "expr/dates/date_units.hpp"

#include <array>
#include <string>

#include "errors/query_error.hpp"
#include "expr/numbers.hpp"
#include "expr/registry.hpp"

namespace gantry::data::expr {
namespace {

constexpr std::array<std::string_view, 9> kUnits = {
    "year", "quarter", "month", "week", "day", "hour", "minute", "second", "millisecond"};
constexpr std::int64_t kYear2000 = 10'957;  // 2000-01-01, a Saturday, in days since 1970
constexpr int kSaturday = 6;
// Beyond every date, in all units that follow the local calendar.
constexpr std::int64_t kFar = 4'000'000'000'000;
constexpr std::int64_t kLargestBin = 100'000'000'000;

std::int64_t checked(std::string_view op, std::optional<std::int64_t> date) {
  if (!date) refuse_out_of_range(op);
  return *date;
}

std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

// The milliseconds of units with a fixed length; 0 for calendar units.
std::int64_t fixed_length_of(Unit unit) {
  switch (unit) {
    case Unit::hour:
      return kHour;
    case Unit::minute:
      return kMinute;
    case Unit::second:
      return kSecond;
    case Unit::millisecond:
      return 1;
    default:
      return 0;
  }
}

std::int64_t months_of(Unit unit) {
  return unit == Unit::year ? 12 : unit == Unit::quarter ? 3 : unit == Unit::month ? 1 : 0;
}

WallTime add_months(const WallTime& from, std::int64_t months) {
  const CivilDate date = civil_of(from.days);
  const std::int64_t index = date.month - 1 + months;
  const std::int64_t year = date.year + floor_div(index, 12);
  const int month = static_cast<int>(floor_mod(index, 12)) + 1;
  const int last = days_in_month(year, month);
  return {days_of(year, month, date.day < last ? date.day : last), from.ms};
}

std::int64_t month_index(std::int64_t days) {
  const CivilDate date = civil_of(days);
  return (date.year - 2000) * 12 + date.month - 1;
}

// The index of the calendar unit, counted from 2000.
std::int64_t index_of(const WallTime& time, Unit unit, int week_start) {
  if (const std::int64_t months = months_of(unit)) {
    return floor_div(month_index(time.days), months);
  }
  if (unit == Unit::day) return time.days - kYear2000;
  const int to_first_week = (week_start - kSaturday + 7) % 7;
  return floor_div(time.days - kYear2000 - to_first_week, 7);
}

WallTime start_of(std::int64_t index, Unit unit, int week_start) {
  if (const std::int64_t months = months_of(unit)) {
    return {days_of(2000, index * months + 1, 1), 0};
  }
  if (unit == Unit::day) return {kYear2000 + index, 0};
  return {kYear2000 + (week_start - kSaturday + 7) % 7 + index * 7, 0};
}

std::int64_t trunc_length(std::string_view op, std::int64_t date, std::int64_t size,
                          std::int64_t length, const TimeZone& zone) {
  const std::int64_t origin = checked(op, zone.instant_of({kYear2000, 0}));
  std::int64_t bin = 0, distance = 0, result = 0;
  const bool fits = !__builtin_mul_overflow(size, length, &bin) &&
                    !__builtin_sub_overflow(date, origin, &distance) &&
                    !__builtin_sub_overflow(date, floor_mod(distance, bin), &result);
  if (!fits) refuse_out_of_range(op);
  return result;
}

// The difference in local hours, corrected for hours that clock changes added or skipped.
std::int64_t hours_between(std::int64_t start, std::int64_t end, const TimeZone& zone) {
  const WallTime from = zone.wall_at(start);
  const WallTime to = zone.wall_at(end);
  return (to.days - from.days) * 24 + to.ms / kHour - from.ms / kHour +
         (zone.offset_at(start) - zone.offset_at(end)) / 3600;
}

}  // namespace

void refuse_out_of_range(std::string_view op) {
  throw QueryError(std::string(op) + " exceeds the range of dates; use a smaller amount");
}

Unit unit_of(std::string_view op, const Value& name) {
  if (!name.is_string()) refuse_type(op, "a string as unit", name);
  for (std::size_t i = 0; i < kUnits.size(); ++i) {
    if (name.text() == kUnits[i]) return static_cast<Unit>(i);
  }
  throw QueryError(std::string(op) +
                   " needs one of these as unit: year, quarter, month, week, day, hour, minute, "
                   "second, millisecond");
}

int week_start_of(std::string_view op, const Value& name) {
  if (!name.is_string()) refuse_type(op, "a string as startOfWeek", name);
  const std::string text = lowered(name.text());
  for (std::size_t i = 0; i < kWeekdays.size(); ++i) {
    if (text == kWeekdays[i] || text == kWeekdays[i].substr(0, 3)) return static_cast<int>(i);
  }
  throw QueryError(std::string(op) + " needs a day of the week as startOfWeek, such as 'monday'");
}

std::optional<std::int64_t> whole_number(const Value& value) {
  return value.is_number() ? whole_long(value) : std::nullopt;
}

std::int64_t date_of(std::string_view op, const Value& value) {
  if (!value.is_date()) refuse_type(op, "a date", value);
  return value.integer();
}

std::int64_t date_add(std::string_view op, std::int64_t date, Unit unit, std::int64_t amount,
                      const TimeZone& zone) {
  if (amount == 0) return date;
  if (const std::int64_t length = fixed_length_of(unit)) {
    std::int64_t distance = 0, result = 0;
    const bool fits = !__builtin_mul_overflow(amount, length, &distance) &&
                      !__builtin_add_overflow(date, distance, &result);
    if (!fits) refuse_out_of_range(op);
    return result;
  }
  if (amount > kFar || amount < -kFar) refuse_out_of_range(op);
  WallTime time = zone.wall_at(date);
  if (const std::int64_t months = months_of(unit)) {
    time = add_months(time, amount * months);
  } else {
    time.days += amount * (unit == Unit::week ? 7 : 1);
  }
  return checked(op, zone.instant_of(time));
}

std::int64_t date_diff(std::string_view op, std::int64_t start, std::int64_t end, Unit unit,
                       const TimeZone& zone, int week_start) {
  if (unit == Unit::millisecond) {
    std::int64_t result = 0;
    if (__builtin_sub_overflow(end, start, &result)) refuse_out_of_range(op);
    return result;
  }
  if (unit == Unit::hour) return hours_between(start, end, zone);
  if (const std::int64_t length = fixed_length_of(unit)) {
    return floor_div(end, length) - floor_div(start, length);
  }
  return index_of(zone.wall_at(end), unit, week_start) -
         index_of(zone.wall_at(start), unit, week_start);
}

std::int64_t date_trunc(std::string_view op, std::int64_t date, Unit unit, std::int64_t size,
                        const TimeZone& zone, int week_start) {
  if (const std::int64_t length = fixed_length_of(unit)) {
    return trunc_length(op, date, size, length, zone);
  }
  if (size > kLargestBin) refuse_out_of_range(op);
  const std::int64_t index = index_of(zone.wall_at(date), unit, week_start);
  return checked(op, zone.instant_of(start_of(floor_div(index, size) * size, unit, week_start)));
}

}  // namespace gantry::data::expr

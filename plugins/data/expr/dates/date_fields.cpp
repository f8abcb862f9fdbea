#include "expr/dates/date_fields.hpp"

namespace gantry::data::expr {
namespace {

bool within(int value, int low, int high) { return value >= low && value <= high; }

std::optional<std::int64_t> iso_days(const DateFields& fields) {
  if (!fields.iso_year || fields.year || fields.month || fields.day) return std::nullopt;
  const int week = fields.iso_week.value_or(1);
  const int day = fields.iso_day.value_or(1);
  if (!within(week, 1, 53) || !within(day, 1, 7)) return std::nullopt;
  return days_of_iso(*fields.iso_year, week, day);
}

std::optional<std::int64_t> civil_days(const DateFields& fields) {
  if (!fields.year) return std::nullopt;
  if (fields.days_into_year) return days_of(*fields.year, 1, 1) + *fields.days_into_year;
  if (!fields.month || !fields.day || !within(*fields.month, 1, 12)) return std::nullopt;
  if (!within(*fields.day, 1, days_in_month(*fields.year, *fields.month))) return std::nullopt;
  return days_of(*fields.year, *fields.month, *fields.day);
}

std::optional<std::int64_t> days_from(const DateFields& fields) {
  const bool iso = fields.iso_year || fields.iso_week || fields.iso_day;
  return iso ? iso_days(fields) : civil_days(fields);
}

std::optional<std::int64_t> time_from(const DateFields& fields) {
  const int hour = fields.hour.value_or(0);
  const int minute = fields.minute.value_or(0);
  const int second = fields.second.value_or(0);
  if (!within(hour, 0, 23) || !within(minute, 0, 59) || !within(second, 0, 59)) return std::nullopt;
  return hour * kHour + minute * kMinute + second * kSecond + fields.millisecond.value_or(0);
}

}  // namespace

std::optional<std::int64_t> date_from(const DateFields& fields, const TimeZone& zone) {
  const auto days = days_from(fields);
  const auto time = time_from(fields);
  if (!days || !time || (fields.zone && !zone.is_utc())) return std::nullopt;
  return fields.zone.value_or(zone).instant_of({*days, *time});
}

}  // namespace gantry::data::expr

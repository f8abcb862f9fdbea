#include "expr/dates/calendar.hpp"

namespace gantry::data::expr {

bool is_leap(std::int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int days_in_month(std::int64_t year, int month) {
  static constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : kDays[month - 1];
}

// Years begin in March here, so the leap day is the last one; eras have 400 years.
std::int64_t days_of(std::int64_t year, std::int64_t month, std::int64_t day) {
  year += floor_div(month - 1, 12);
  month = floor_mod(month - 1, 12) + 1;
  year -= month <= 2;
  const std::int64_t era = floor_div(year, 400);
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t first_of_month = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5;
  const std::int64_t first_of_year = year_of_era * 365 + year_of_era / 4 - year_of_era / 100;
  return era * 146'097 + first_of_year + first_of_month - 719'468 + day - 1;
}

CivilDate civil_of(std::int64_t days) {
  const std::int64_t shifted = days + 719'468;
  const std::int64_t era = floor_div(shifted, 146'097);
  const std::int64_t day_of_era = shifted - era * 146'097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month = (5 * day_of_year + 2) / 153;  // counted from March
  CivilDate date;
  date.month = static_cast<int>(month < 10 ? month + 3 : month - 9);
  date.day = static_cast<int>(day_of_year - (153 * month + 2) / 5 + 1);
  date.year = year_of_era + era * 400 + (date.month <= 2);
  return date;
}

int day_of_year(std::int64_t days) {
  return static_cast<int>(days - days_of(civil_of(days).year, 1, 1)) + 1;
}

int weekday(std::int64_t days) { return static_cast<int>(floor_mod(days + 4, 7)); }

int iso_weekday(std::int64_t days) { return static_cast<int>(floor_mod(days + 3, 7)) + 1; }

int sunday_week(std::int64_t days) { return (day_of_year(days) + 6 - weekday(days)) / 7; }

// A week belongs to the year that contains its Thursday.
IsoWeek iso_week_of(std::int64_t days) {
  const std::int64_t thursday = days + 4 - iso_weekday(days);
  return {civil_of(thursday).year, (day_of_year(thursday) - 1) / 7 + 1};
}

std::int64_t days_of_iso(std::int64_t year, std::int64_t week, std::int64_t day) {
  const std::int64_t fourth = days_of(year, 1, 4);  // always in week 1
  return fourth - iso_weekday(fourth) + (week - 1) * 7 + day;
}

std::optional<std::int64_t> milliseconds_of(const WallTime& time) {
  // For negative days the last addition is the day's, so that the lowest instants do not overflow.
  const bool negative = time.days < 0;
  const std::int64_t days = time.days + (negative ? 1 : 0);
  const std::int64_t rest = time.ms - (negative ? kDay : 0);
  std::int64_t ms = 0;
  if (__builtin_mul_overflow(days, kDay, &ms) || __builtin_add_overflow(ms, rest, &ms)) {
    return std::nullopt;
  }
  return ms;
}

WallTime wall_of(std::int64_t milliseconds) {
  return {floor_div(milliseconds, kDay), floor_mod(milliseconds, kDay)};
}

WallTime wall_of(std::int64_t days, std::int64_t ms) {
  return {days + floor_div(ms, kDay), floor_mod(ms, kDay)};
}

}  // namespace gantry::data::expr

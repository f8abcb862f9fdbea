// expr/dates/calendar.hpp: the proleptic Gregorian calendar and ISO 8601 weeks in 64 bits.
//
// Pure functions without time zones; any thread. Years outside of 0 to 9999 are supported: every
// 64-bit number of milliseconds is a date. Months and days count from 1.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gantry::data::expr {

inline constexpr std::int64_t kSecond = 1000;  // in milliseconds
inline constexpr std::int64_t kMinute = 60 * kSecond;
inline constexpr std::int64_t kHour = 60 * kMinute;
inline constexpr std::int64_t kDay = 24 * kHour;

inline constexpr std::array<std::string_view, 12> kMonths = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};
inline constexpr std::array<std::string_view, 7> kWeekdays = {
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"};

// Division rounded towards minus infinity; `b` must be positive.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}
constexpr std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
  return a % b + (a % b < 0 ? b : 0);
}

// A local date and time: days since 1970-01-01 and milliseconds of that day.
struct WallTime {
  std::int64_t days = 0;
  std::int64_t ms = 0;  // [0, kDay)
};

struct CivilDate {
  std::int64_t year = 1970;
  int month = 1, day = 1;
};

struct IsoWeek {
  std::int64_t year = 1970;
  int week = 1;
};

bool is_leap(std::int64_t year);
int days_in_month(std::int64_t year, int month);

// `month` and `day` may be out of range and carry; |year| is at most 10^13.
std::int64_t days_of(std::int64_t year, std::int64_t month, std::int64_t day);
CivilDate civil_of(std::int64_t days);

int day_of_year(std::int64_t days);
int weekday(std::int64_t days);      // 0 Sunday to 6 Saturday
int iso_weekday(std::int64_t days);  // 1 Monday to 7 Sunday
int sunday_week(std::int64_t days);  // 0 before the year's first Sunday
IsoWeek iso_week_of(std::int64_t days);
// The day of an ISO week; `week` and `day` may be out of range and carry.
std::int64_t days_of_iso(std::int64_t year, std::int64_t week, std::int64_t day);

// Empty if the milliseconds exceed 64 bits.
std::optional<std::int64_t> milliseconds_of(const WallTime& time);
WallTime wall_of(std::int64_t milliseconds);
// `ms` of more than a day carries.
WallTime wall_of(std::int64_t days, std::int64_t ms);

}  // namespace gantry::data::expr

#include "expr/dates/date_units.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

#include "errors/query_error.hpp"

namespace gantry::data::expr::date_units_test {
namespace {

constexpr int kSunday = 0, kMonday = 1;

std::int64_t at(std::int64_t year, int month, int day, int hour = 0, int minute = 0) {
  return days_of(year, month, day) * kDay + hour * kHour + minute * kMinute;
}
std::int64_t add(std::int64_t date, Unit unit, std::int64_t amount, const TimeZone& zone = {}) {
  return date_add("$dateAdd", date, unit, amount, zone);
}
std::int64_t diff(std::int64_t start, std::int64_t end, Unit unit, const TimeZone& zone = {},
                  int week_start = kSunday) {
  return date_diff("$dateDiff", start, end, unit, zone, week_start);
}
std::int64_t trunc(std::int64_t date, Unit unit, std::int64_t size = 1, const TimeZone& zone = {},
                   int week_start = kSunday) {
  return date_trunc("$dateTrunc", date, unit, size, zone, week_start);
}
TimeZone york() { return TimeZone::find("$dateAdd", "America/New_York"); }

TEST(DateUnits, ADayThatTheMonthLacksBecomesItsLast) {
  EXPECT_EQ(add(at(2021, 1, 31), Unit::month, 1), at(2021, 2, 28));
  EXPECT_EQ(add(at(2020, 2, 29, 5), Unit::year, -1), at(2019, 2, 28, 5));
  EXPECT_EQ(add(at(2020, 11, 30), Unit::quarter, 1), at(2021, 2, 28));
}

TEST(DateUnits, DaysKeepTheWallClockAndHoursTheirLength) {
  // Noon in New York, the day before the clock change.
  const std::int64_t before = at(2021, 3, 13, 17);
  EXPECT_EQ(add(before, Unit::day, 1, york()), at(2021, 3, 14, 16));
  EXPECT_EQ(add(before, Unit::hour, 24, york()), at(2021, 3, 14, 17));
}

TEST(DateUnits, RefusesResultsBeyond64Bits) {
  for (const Unit unit :
       {Unit::year, Unit::month, Unit::week, Unit::day, Unit::hour, Unit::millisecond}) {
    EXPECT_THROW(add(at(2020, 1, 1), unit, INT64_MAX), QueryError);
    EXPECT_THROW(add(at(1920, 1, 1), unit, INT64_MIN), QueryError);
  }
  EXPECT_THROW(add(at(2020, 1, 1), Unit::year, 300'000'000), QueryError);
  EXPECT_THROW(diff(INT64_MIN, INT64_MAX, Unit::millisecond), QueryError);
  EXPECT_GT(diff(INT64_MIN, INT64_MAX, Unit::second), 0);
  EXPECT_THROW(trunc(INT64_MIN, Unit::day, 100), QueryError);
  EXPECT_THROW(trunc(INT64_MIN, Unit::hour, 100), QueryError);
}

TEST(DateUnits, CountsBoundariesNotLengths) {
  EXPECT_EQ(diff(at(2020, 12, 31, 23), at(2021, 1, 1), Unit::year), 1);
  EXPECT_EQ(diff(at(2021, 1, 1), at(2021, 12, 31), Unit::quarter), 3);
  EXPECT_EQ(diff(at(2021, 1, 1), at(2021, 1, 31), Unit::week), 5);
  EXPECT_EQ(diff(at(2021, 1, 1), at(2021, 1, 31), Unit::week, {}, kMonday), 4);
  EXPECT_EQ(diff(at(2021, 3, 14, 6), at(2021, 3, 14, 8), Unit::hour, york()), 2);
  EXPECT_EQ(diff(at(1970, 1, 1), at(1969, 12, 31, 23, 59), Unit::minute), -1);
}

TEST(DateUnits, BinsCountFromTheYear2000) {
  EXPECT_EQ(trunc(at(1999, 12, 31), Unit::year, 5), at(1995, 1, 1));
  EXPECT_EQ(trunc(at(2021, 8, 20), Unit::quarter), at(2021, 7, 1));
  EXPECT_EQ(trunc(at(2021, 6, 16, 12), Unit::week, 1, {}, kMonday), at(2021, 6, 14));
  EXPECT_EQ(trunc(at(2000, 1, 1), Unit::week, 2), at(1999, 12, 19));
  EXPECT_EQ(trunc(at(2021, 7, 1, 3), Unit::day, 1, york()), at(2021, 6, 30, 4));
  EXPECT_EQ(trunc(at(2021, 3, 20, 11), Unit::hour, 1, TimeZone::fixed(19'800)),
            at(2021, 3, 20, 10, 30));
}

TEST(DateUnits, NamesUnitsAndWeekdaysStrictly) {
  EXPECT_EQ(unit_of("$dateAdd", Value::string("quarter")), Unit::quarter);
  EXPECT_THROW(unit_of("$dateAdd", Value::string("Day")), QueryError);
  EXPECT_THROW(unit_of("$dateAdd", Value::string("days")), QueryError);
  EXPECT_EQ(week_start_of("$dateTrunc", Value::string("FRI")), 5);
  EXPECT_EQ(week_start_of("$dateTrunc", Value::string("Monday")), 1);
  EXPECT_THROW(week_start_of("$dateTrunc", Value::string("")), QueryError);
}

TEST(DateUnits, TakesWholeNumbersOfEveryType) {
  EXPECT_EQ(whole_number(Value::real(-0.0)), 0);
  EXPECT_EQ(whole_number(Value::real(-9'223'372'036'854'775'808.0)), INT64_MIN);
  EXPECT_FALSE(whole_number(Value::real(9'223'372'036'854'775'808.0)));
  EXPECT_FALSE(whole_number(Value::real(0.5)));
  EXPECT_FALSE(whole_number(Value::boolean(true)));
}

}  // namespace
}  // namespace gantry::data::expr::date_units_test

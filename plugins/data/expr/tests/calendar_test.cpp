#include "expr/dates/calendar.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace gantry::data::expr::calendar_test {
namespace {

TEST(Calendar, CountsDaysBothWaysAcrossErasAndLeapYears) {
  EXPECT_EQ(days_of(1970, 1, 1), 0);
  EXPECT_EQ(days_of(2000, 2, 29), 11'016);
  EXPECT_EQ(days_of(1900, 3, 1) - days_of(1900, 2, 28), 1);
  for (std::int64_t days = -1'000'000; days < 1'000'000; days += 997) {
    const CivilDate date = civil_of(days);
    EXPECT_EQ(days_of(date.year, date.month, date.day), days);
  }
}

TEST(Calendar, CarriesMonthsAndDaysThatAreOutOfRange) {
  EXPECT_EQ(days_of(2020, 14, 1), days_of(2021, 2, 1));
  EXPECT_EQ(days_of(2020, 0, 1), days_of(2019, 12, 1));
  EXPECT_EQ(days_of(2020, 1, 0), days_of(2019, 12, 31));
  EXPECT_EQ(days_of(2020, -12, 32), days_of(2019, 1, 1));
}

TEST(Calendar, GivesWeeksOfBothKinds) {
  const std::int64_t sunday = days_of(2017, 1, 1);
  EXPECT_EQ(weekday(sunday), 0);
  EXPECT_EQ(iso_weekday(sunday), 7);
  EXPECT_EQ(sunday_week(sunday), 1);
  EXPECT_EQ(iso_week_of(sunday).year, 2016);
  EXPECT_EQ(iso_week_of(sunday).week, 52);
  EXPECT_EQ(days_of_iso(2016, 52, 7), sunday);
  EXPECT_EQ(sunday_week(days_of(2024, 1, 6)), 0);
}

TEST(Calendar, HoldsTheFirstAndTheLastInstantOf64Bits) {
  using Limits = std::numeric_limits<std::int64_t>;
  for (const std::int64_t instant : {Limits::min(), Limits::max(), std::int64_t{-1}}) {
    EXPECT_EQ(milliseconds_of(wall_of(instant)), instant);
    EXPECT_EQ(days_of(civil_of(wall_of(instant).days).year, 1, 1) +
                  day_of_year(wall_of(instant).days) - 1,
              wall_of(instant).days);
  }
  WallTime beyond = wall_of(Limits::max());
  beyond.days += 1;
  EXPECT_FALSE(milliseconds_of(beyond));
  beyond = wall_of(Limits::min());
  beyond.days -= 1;
  EXPECT_FALSE(milliseconds_of(beyond));
}

}  // namespace
}  // namespace gantry::data::expr::calendar_test

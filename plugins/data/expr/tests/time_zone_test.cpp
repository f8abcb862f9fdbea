#include "expr/dates/time_zone.hpp"

#include <gtest/gtest.h>

#include "errors/query_error.hpp"

namespace gantry::data::expr::time_zone_test {
namespace {

TimeZone zone(std::string_view name) { return TimeZone::find("$year", name); }

std::int64_t at(std::int64_t year, int month, int day, int hour, int minute = 0) {
  return days_of(year, month, day) * kDay + hour * kHour + minute * kMinute;
}

TEST(TimeZone, ReadsOffsetsInThreeForms) {
  EXPECT_EQ(zone("+05:30").offset_at(0), 19'800);
  EXPECT_EQ(zone("-0530").offset_at(0), -19'800);
  EXPECT_EQ(zone("+05").offset_at(0), 18'000);
  EXPECT_EQ(zone("+99:99").offset_at(0), (99 * 60 + 99) * 60);
  EXPECT_TRUE(zone("+00:00").is_utc());
  EXPECT_TRUE(zone("UTC").is_utc());
}

TEST(TimeZone, RefusesNamesTheDatabaseDoesNotHave) {
  for (const char* name : {"", "Z", "EDT", "25:00", "123", "+100:00", "+5", "+05:3", "localtime",
                           "europe/berlin", "EUROPE/BERLIN", "Europe/Nowhere", "+0a:00"}) {
    EXPECT_THROW(zone(name), QueryError) << name;
  }
}

TEST(TimeZone, FollowsSummerTime) {
  const TimeZone berlin = zone("Europe/Berlin");
  EXPECT_EQ(berlin.offset_at(at(2024, 3, 31, 0, 59)), 3600);
  EXPECT_EQ(berlin.offset_at(at(2024, 3, 31, 1)), 7200);
  EXPECT_EQ(zone("EST").offset_at(at(2024, 7, 1, 0)), -18'000);
}

TEST(TimeZone, KeepsItsRulesBeyondTheDatabase) {
  const TimeZone york = zone("America/New_York");
  const TimeZone sydney = zone("Australia/Sydney");
  for (const std::int64_t year : {2037, 2038, 2052, 2399, 9999}) {
    EXPECT_EQ(york.offset_at(at(year, 7, 1, 12)), -14'400) << year;
    EXPECT_EQ(york.offset_at(at(year, 12, 1, 12)), -18'000) << year;
    EXPECT_EQ(sydney.offset_at(at(year, 1, 15, 12)), 39'600) << year;
    EXPECT_EQ(sydney.offset_at(at(year, 7, 1, 12)), 36'000) << year;
  }
  // 2052-03-10 is the second Sunday of that March.
  EXPECT_EQ(york.offset_at(at(2052, 3, 10, 6, 59)), -18'000);
  EXPECT_EQ(york.offset_at(at(2052, 3, 10, 7)), -14'400);
  EXPECT_EQ(zone("Asia/Tokyo").offset_at(at(2100, 7, 1, 0)), 32'400);
}

TEST(TimeZone, TurnsWallClocksBackIntoInstants) {
  const TimeZone york = zone("America/New_York");
  const auto instant = [&](int month, int day, int hour, int minute) {
    return york.instant_of({days_of(2021, month, day), hour * kHour + minute * kMinute});
  };
  EXPECT_EQ(instant(7, 1, 12, 0), at(2021, 7, 1, 16));
  // Skipped by the clock: computed with the earlier offset.
  EXPECT_EQ(instant(3, 14, 2, 30), at(2021, 3, 14, 7, 30));
  EXPECT_EQ(instant(11, 7, 1, 30), at(2021, 11, 7, 5, 30));  // twice: the first
  EXPECT_EQ(instant(11, 7, 2, 30), at(2021, 11, 7, 7, 30));
}

TEST(TimeZone, TakesInstantsAtTheEndsOf64Bits) {
  const TimeZone berlin = zone("Europe/Berlin");
  for (const std::int64_t instant : {INT64_MIN, INT64_MAX}) {
    const WallTime wall = berlin.wall_at(instant);
    EXPECT_GE(wall.ms, 0);
    EXPECT_LT(wall.ms, kDay);
    EXPECT_FALSE(berlin.instant_of({wall.days + (instant > 0 ? 2 : -2), 0}));
  }
}

}  // namespace
}  // namespace gantry::data::expr::time_zone_test

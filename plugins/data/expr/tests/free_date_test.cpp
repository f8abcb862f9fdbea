#include "expr/dates/free_date.hpp"

#include <gtest/gtest.h>

#include <string>

#include "values/iso_date.hpp"

namespace gantry::data::expr::free_date_test {
namespace {

// As ISO 8601, or "none".
std::string read(std::string_view text) {
  const auto instant = parse_free_date(text);
  std::string out;
  if (!instant) return "none";
  append_iso_date(*instant, out);
  return out;
}

TEST(FreeDate, ReadsDatesInManyOrders) {
  for (const char* text : {"2026-11-05", "2026/11/05", "2026-11-5", "20261105", "11/5/2026",
                           "05.11.2026", "5-11-2026", "2026-W45-4", "Nov 5 2026", "nov 5th, 2026",
                           "5 November 2026", "05-Nov-2026", "Thu, 5 Nov 2026"}) {
    EXPECT_EQ(read(text), "2026-11-05T00:00:00.000Z") << text;
  }
  EXPECT_EQ(read("2026-11"), "2026-11-01T00:00:00.000Z");
  EXPECT_EQ(read("Nov 2026"), "2026-11-01T00:00:00.000Z");
}

TEST(FreeDate, ReadsTimesBesideThem) {
  for (const char* text : {"2026-11-05T20:04:00", "2026-11-05 20:04", "20261105T2004",
                           "20261105T200400", "2026-11-05  8:04 pm", "20:04 Nov 5 2026",
                           "2026-11-05\t20:04:00.000999", "Thu Nov 5 20:04:00 2026"}) {
    EXPECT_EQ(read(text), "2026-11-05T20:04:00.000Z") << text;
  }
  EXPECT_EQ(read("2026-11-05T20:04:05.12"), "2026-11-05T20:04:05.120Z");
  EXPECT_EQ(read("2026-11-05 12 am"), "2026-11-05T00:00:00.000Z");
  EXPECT_EQ(read("2026-11-05T24:00"), "2026-11-06T00:00:00.000Z");
}

TEST(FreeDate, ReadsZones) {
  for (const char* text : {"2026-11-05T20:04Z", "2026-11-05T20:04 GMT", "2026-11-05T21:04+01",
                           "2026-11-05T14:34-0530", "2026-11-05T15:04 EST",
                           "2026-11-05T21:04 Europe/Berlin", "THU nov 05 21:34:00 +01:30 2026"}) {
    EXPECT_EQ(read(text), "2026-11-05T20:04:00.000Z") << text;
  }
  EXPECT_TRUE(read_free_date("2026-11-05T20:04Z")->has_zone);
  EXPECT_FALSE(read_free_date("2026-11-05T20:04")->has_zone);
}

TEST(FreeDate, LooksPastBlanksAroundIt) {
  EXPECT_EQ(read(std::string_view("\0 \t2026-11-05\n\xC2\xA0", 16)), "2026-11-05T00:00:00.000Z");
}

TEST(FreeDate, MovesOnToTheDayOfTheWeekItNames) {
  EXPECT_EQ(read("Sat 2026-11-05"), "2026-11-07T00:00:00.000Z");
}

TEST(FreeDate, TakesNothingElse) {
  for (const char* text : {"",
                           "2026",
                           "Friday",
                           "tomorrow",
                           "not-a-date",
                           "20:04",
                           "Nov 5",
                           "2026-13-01",
                           "2026-02-30",
                           "1900-02-29",
                           "12026-11-05",
                           "2026-11-05T25:00",
                           "2026-11-05T20:60",
                           "2026-11-05T12: 30",
                           "2026 -11-05",
                           "2026-11-05 2026-11-06",
                           "2026-11-05T20:04ZZ",
                           "2026-11-05T20:04+01:00 Z",
                           "2026-11-05T13 pm",
                           "2026-W54-1",
                           "\xE2\x80\x80"
                           "2026-11-05"}) {
    EXPECT_EQ(read(text), "none") << text;
  }
}

}  // namespace
}  // namespace gantry::data::expr::free_date_test

// Dates before 1970, beyond four digits of a year, and around changes of the clock.
#include "evaluation.hpp"

namespace gantry::data::expr::date_edges_test {
namespace {

// The expression over a document {d: the date}.
std::string at(std::string_view date, std::string_view expression) {
  return evaluated(expression, R"({"d":{"$date":)" + std::string(date) + "}}");
}

constexpr std::string_view kBeforeEpoch = R"("1969-12-31T23:59:59.999Z")";
constexpr std::string_view kYearOne = R"("0001-01-01T00:00:00Z")";
constexpr std::string_view kFarAway = R"({"$numberLong":"253402300800000"})";  // 10000-01-01
constexpr std::string_view kSpring =
    R"("2024-03-31T00:30:00Z")";  // half an hour before summer time
constexpr std::string_view kAutumn = R"("2024-10-27T00:30:00Z")";  // and before its end

TEST(DateEdges, PartsOfDatesBefore1970CountForward) {
  EXPECT_EQ(at(kBeforeEpoch, R"({"$year":"$d"})"), "1969");
  EXPECT_EQ(at(kBeforeEpoch, R"({"$month":"$d"})"), "12");
  EXPECT_EQ(at(kBeforeEpoch, R"({"$dayOfMonth":"$d"})"), "31");
  EXPECT_EQ(at(kBeforeEpoch, R"({"$dayOfYear":"$d"})"), "365");
  EXPECT_EQ(at(kBeforeEpoch, R"({"$hour":"$d"})"), "23");
  EXPECT_EQ(at(kBeforeEpoch, R"({"$minute":"$d"})"), "59");
  EXPECT_EQ(at(kBeforeEpoch, R"({"$second":"$d"})"), "59");
  EXPECT_EQ(at(kBeforeEpoch, R"({"$millisecond":"$d"})"), "999");
  EXPECT_EQ(at(kBeforeEpoch, R"({"$dayOfWeek":"$d"})"), "4");  // a Wednesday
  EXPECT_EQ(at(kBeforeEpoch, R"({"$isoDayOfWeek":"$d"})"), "3");
  EXPECT_EQ(at(kBeforeEpoch, R"({"$isoWeek":"$d"})"), "1");
  EXPECT_EQ(at(kBeforeEpoch, R"({"$isoWeekYear":"$d"})"), R"({"$numberLong":"1970"})");
}

TEST(DateEdges, PartsOfTheFirstYear) {
  EXPECT_EQ(at(kYearOne, R"({"$year":"$d"})"), "1");
  EXPECT_EQ(at(kYearOne, R"({"$isoDayOfWeek":"$d"})"), "1");
  EXPECT_EQ(at(kYearOne, R"({"$dateToString":{"date":"$d"}})"), R"("0001-01-01T00:00:00.000Z")");
  EXPECT_EQ(at(kYearOne, R"({"$dateTrunc":{"date":"$d","unit":"year"}})"),
            R"({"$date":"0001-01-01T00:00:00.000Z"})");
}

TEST(DateEdges, YearsBeyondFourDigitsAreNumbersButNoText) {
  EXPECT_EQ(at(kFarAway, R"({"$year":"$d"})"), "10000");
  EXPECT_EQ(at(kFarAway, R"({"$month":"$d"})"), "1");
  EXPECT_EQ(
      unsaid(at(kFarAway, R"({"$dateToString":{"date":"$d"}})"), {"$dateToString", "0 to 9999"}),
      "");
  EXPECT_EQ(at(kFarAway, R"({"$dateToString":{"date":"$d","format":"%m-%d"}})"), R"("01-01")");
  EXPECT_EQ(unsaid(at(kFarAway, R"({"$toUpper":"$d"})"), {"$toUpper", "0 to 9999"}), "");
}

TEST(DateEdges, TheSundayWeekOfAYearBeginsWithItsFirstSunday) {
  EXPECT_EQ(at(R"("2023-01-01T00:00:00Z")", R"({"$week":"$d"})"), "1");
  EXPECT_EQ(at(R"("2024-01-06T00:00:00Z")", R"({"$week":"$d"})"), "0");
  EXPECT_EQ(at(R"("2024-01-07T00:00:00Z")", R"({"$week":"$d"})"), "1");
  EXPECT_EQ(at(R"("2024-12-31T00:00:00Z")", R"({"$week":"$d"})"), "52");
}

TEST(DateEdges, TheIsoYearMayBeTheOneBeforeOrAfter) {
  EXPECT_EQ(at(R"("2021-01-03T00:00:00Z")", R"({"$isoWeek":"$d"})"), "53");
  EXPECT_EQ(at(R"("2021-01-03T00:00:00Z")", R"({"$isoWeekYear":"$d"})"),
            R"({"$numberLong":"2020"})");
  EXPECT_EQ(at(R"("2024-12-30T00:00:00Z")", R"({"$isoWeek":"$d"})"), "1");
  EXPECT_EQ(at(R"("2024-12-30T00:00:00Z")", R"({"$dateToParts":{"date":"$d","iso8601":true}})"),
            R"({"isoWeekYear":2025,"isoWeek":1,"isoDayOfWeek":1,"hour":0,"minute":0,"second":0,)"
            R"("millisecond":0})");
}

TEST(DateEdges, ADayIsTwentyThreeHoursWhereTheClockGoesForward) {
  EXPECT_EQ(at(kSpring, R"({"$hour":{"date":"$d","timezone":"Europe/Berlin"}})"), "1");
  EXPECT_EQ(at(kSpring, R"({"$dateAdd":{"startDate":"$d","unit":"hour","amount":1,
                            "timezone":"Europe/Berlin"}})"),
            R"({"$date":"2024-03-31T01:30:00.000Z"})");
  EXPECT_EQ(at(kSpring, R"({"$dateAdd":{"startDate":"$d","unit":"day","amount":1,
                            "timezone":"Europe/Berlin"}})"),
            R"({"$date":"2024-03-31T23:30:00.000Z"})");
  EXPECT_EQ(at(kSpring, R"({"$dateDiff":{"startDate":{"$dateTrunc":{"date":"$d","unit":"day",
                            "timezone":"Europe/Berlin"}},"endDate":{"$dateTrunc":{"date":{"$dateAdd":
                            {"startDate":"$d","unit":"day","amount":1}},"unit":"day",
                            "timezone":"Europe/Berlin"}},"unit":"hour"}})"),
            R"({"$numberLong":"23"})");
}

TEST(DateEdges, AnHourThatComesTwiceHasTwoOffsets) {
  EXPECT_EQ(at(kAutumn, R"({"$dateToString":{"date":"$d","format":"%H:%M %z",
                            "timezone":"Europe/Berlin"}})"),
            R"("02:30 +0200")");
  EXPECT_EQ(at(R"("2024-10-27T01:30:00Z")",
               R"({"$dateToString":{"date":"$d","format":"%H:%M %z","timezone":"Europe/Berlin"}})"),
            R"("02:30 +0100")");
  EXPECT_EQ(at(kAutumn, R"({"$dateTrunc":{"date":"$d","unit":"day","timezone":"Europe/Berlin"}})"),
            R"({"$date":"2024-10-26T22:00:00.000Z"})");
}

TEST(DateEdges, MonthsEndWhereTheyEnd) {
  const auto plus = [](std::string_view date, const char* unit, int amount) {
    return at(date, R"({"$dateAdd":{"startDate":"$d","unit":")" + std::string(unit) +
                        R"(","amount":)" + std::to_string(amount) + "}}");
  };
  EXPECT_EQ(plus(R"("2024-01-31T10:00:00Z")", "month", 1),
            R"({"$date":"2024-02-29T10:00:00.000Z"})");
  EXPECT_EQ(plus(R"("2023-01-31T10:00:00Z")", "month", 1),
            R"({"$date":"2023-02-28T10:00:00.000Z"})");
  EXPECT_EQ(plus(R"("2024-02-29T10:00:00Z")", "year", 1),
            R"({"$date":"2025-02-28T10:00:00.000Z"})");
  EXPECT_EQ(plus(R"("2024-05-31T10:00:00Z")", "quarter", -1),
            R"({"$date":"2024-02-29T10:00:00.000Z"})");
  EXPECT_EQ(plus(R"("1970-01-01T00:00:00Z")", "millisecond", -1),
            R"({"$date":"1969-12-31T23:59:59.999Z"})");
}

TEST(DateEdges, DifferencesOfDatesBefore1970AreNegativeBackward) {
  const auto between = [](const char* a, const char* b, const char* unit) {
    return evaluated(R"({"$dateDiff":{"startDate":{"$date":")" + std::string(a) +
                     R"("},"endDate":{"$date":")" + b + R"("},"unit":")" + unit + R"("}})");
  };
  EXPECT_EQ(between("1970-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "day"),
            R"({"$numberLong":"-1"})");
  EXPECT_EQ(between("1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "year"),
            R"({"$numberLong":"1"})");
  EXPECT_EQ(between("1900-02-28T00:00:00Z", "1900-03-01T00:00:00Z", "day"),
            R"({"$numberLong":"1"})");
  EXPECT_EQ(between("2000-02-28T00:00:00Z", "2000-03-01T00:00:00Z", "day"),
            R"({"$numberLong":"2"})");
}

TEST(DateEdges, AnAmountThatLeadsBeyondAllDatesIsRefusedByName) {
  EXPECT_EQ(unsaid(at(kFarAway, R"({"$dateAdd":{"startDate":"$d","unit":"year",
                                    "amount":{"$numberLong":"9000000000000000000"}}})"),
                   {"$dateAdd", "range of dates", "smaller amount"}),
            "");
  EXPECT_EQ(unsaid(at(kFarAway, R"({"$dateSubtract":{"startDate":"$d","unit":"millisecond",
                                    "amount":{"$numberLong":"-9223372036854775808"}}})"),
                   {"$dateSubtract", "range of dates"}),
            "");
  EXPECT_EQ(unsaid(at(kFarAway, R"({"$dateAdd":{"startDate":"$d","unit":"day","amount":0.5}})"),
                   {"$dateAdd", "whole number", "amount"}),
            "");
  EXPECT_EQ(unsaid(at(kFarAway, R"({"$dateAdd":{"startDate":"$d","unit":"day","amount":"1"}})"),
                   {"$dateAdd", "amount", "a string"}),
            "");
}

TEST(DateEdges, TextsAreReadAsTheFormatSaysOrNotAtAll) {
  const auto read = [](const char* text, const char* format) {
    return evaluated(R"({"$dateFromString":{"dateString":")" + std::string(text) +
                     R"(","format":")" + format + R"(","onError":"no"}})");
  };
  EXPECT_EQ(read("1969-12-31", "%Y-%m-%d"), R"({"$date":"1969-12-31T00:00:00.000Z"})");
  // As in MongoDB, %j is read from 0, and written from 1.
  EXPECT_EQ(read("2024-059", "%Y-%j"), R"({"$date":"2024-02-29T00:00:00.000Z"})");
  EXPECT_EQ(read("2023-365", "%Y-%j"), R"({"$date":"2024-01-01T00:00:00.000Z"})");
  EXPECT_EQ(read("100% 2024-01-02", "100%% %Y-%m-%d"), R"({"$date":"2024-01-02T00:00:00.000Z"})");
  EXPECT_EQ(read("2024-02-30", "%Y-%m-%d"), R"("no")");
  EXPECT_EQ(read("2024-1-2 rest", "%Y-%m-%d"), R"("no")");
  EXPECT_EQ(read("24-01-02", "%Y-%m-%d"), R"("no")");
}

}  // namespace
}  // namespace gantry::data::expr::date_edges_test

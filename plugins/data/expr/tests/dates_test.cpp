#include <gtest/gtest.h>

#include "evaluation.hpp"

namespace gantry::data::expr::dates_test {
namespace {

constexpr const char* kDocument = R"({"d":{"$date":"2017-01-01T01:29:09.123Z"},"s":"x","n":null})";

std::string of(std::string_view expression) { return evaluated(expression, kDocument); }
bool refused(std::string_view expression) { return is_refused(expression, kDocument); }

TEST(DateParts, TakeADateAnArrayOfOneOrAnObject) {
  EXPECT_EQ(of(R"({"$year":"$d"})"), "2017");
  EXPECT_EQ(of(R"({"$year":["$d"]})"), "2017");
  EXPECT_EQ(of(R"({"$year":{"date":"$d","timezone":"America/New_York"}})"), "2016");
  EXPECT_EQ(of(R"({"$isoWeekYear":{"$dateAdd":{"startDate":"$d","unit":"day","amount":1}}})"),
            R"({"$numberLong":"2017"})");
  for (const char* bad : {R"({"$year":[]})", R"({"$year":["$d","$d"]})", R"({"$year":{}})",
                          R"({"$year":{"date":"$d","zone":"UTC"}})", R"({"$year":"$s"})",
                          R"({"$year":{"date":"$d","timezone":5}})"}) {
    EXPECT_TRUE(refused(bad)) << bad;
  }
}

TEST(DateParts, NullAnywhereIsNull) {
  EXPECT_EQ(of(R"({"$month":"$none"})"), "null");
  EXPECT_EQ(of(R"({"$month":{"date":"$d","timezone":"$n"}})"), "null");
}

TEST(DateArithmetic, WantsItsArguments) {
  EXPECT_TRUE(refused(R"({"$dateAdd":{"startDate":"$d","unit":"day"}})"));
  EXPECT_TRUE(refused(R"({"$dateAdd":{"startDate":"$d","unit":"day","amount":1.5}})"));
  EXPECT_TRUE(refused(R"({"$dateSubtract":{"startDate":"$s","unit":"day","amount":1}})"));
  EXPECT_TRUE(refused(R"({"$dateTrunc":{"date":"$d","unit":"day","binSize":0}})"));
  EXPECT_EQ(of(R"({"$dateSubtract":{"startDate":"$d","unit":"day","amount":"$n"}})"), "null");
  EXPECT_EQ(
      of(R"({"$dateDiff":{"startDate":"$d","endDate":"$d","unit":"day","startOfWeek":"no"}})"),
      R"({"$numberLong":"0"})");
}

TEST(DateArithmetic, IgnoresANullWeekStartAmongConstantsOnly) {
  EXPECT_EQ(of(R"({"$dateTrunc":{"date":{"$date":"2021-03-20T11:00:00Z"},"unit":"day",)"
               R"("startOfWeek":null}})"),
            R"({"$date":"2021-03-20T00:00:00.000Z"})");
  EXPECT_EQ(of(R"({"$dateTrunc":{"date":"$d","unit":"day","startOfWeek":null}})"), "null");
  EXPECT_TRUE(refused(R"({"$dateDiff":5})"));
  EXPECT_TRUE(refused(R"({"$dateTrunc":{"unit":"day","startOfWeek":null}})"));
}

TEST(DateToString, PrefersItsOwnAnswerForNullDates) {
  EXPECT_EQ(of(R"({"$dateToString":{"date":"$d"}})"), R"("2017-01-01T01:29:09.123Z")");
  EXPECT_EQ(of(R"({"$dateToString":{"date":"$d","timezone":"+01:00"}})"),
            R"("2017-01-01T02:29:09.123")");
  EXPECT_EQ(of(R"({"$dateToString":{"date":"$n","onNull":"-"}})"), R"("-")");
  EXPECT_EQ(of(R"({"$dateToString":{"date":"$d","format":"$n","onNull":"-"}})"), "null");
  EXPECT_TRUE(refused(R"({"$dateToString":{"date":"$n","format":"%x"}})"));
}

TEST(DateFromString, TakesOneZoneOnly) {
  EXPECT_EQ(of(R"({"$dateFromString":{"dateString":"2017-02-08T12:10:40","timezone":"+02"}})"),
            R"({"$date":"2017-02-08T10:10:40.000Z"})");
  EXPECT_TRUE(
      refused(R"({"$dateFromString":{"dateString":"2017-02-08T12:00Z","timezone":"+02"}})"));
  EXPECT_EQ(of(R"({"$dateFromString":{"dateString":"$d","onError":"bad"}})"), R"("bad")");
  EXPECT_EQ(of(R"({"$dateFromString":{"dateString":"$n","onError":"bad","onNull":0}})"), "0");
  EXPECT_TRUE(refused(R"({"$dateFromString":{"dateString":"$d"}})"));
}

TEST(DateFromParts, CarriesInBothCalendars) {
  EXPECT_EQ(of(R"({"$dateFromParts":{"year":2017,"month":14,"day":0,"hour":-1}})"),
            R"({"$date":"2018-01-30T23:00:00.000Z"})");
  EXPECT_EQ(of(R"({"$dateFromParts":{"isoWeekYear":2017,"isoWeek":6,"isoDayOfWeek":3}})"),
            R"({"$date":"2017-02-08T00:00:00.000Z"})");
  for (const char* bad :
       {R"({"$dateFromParts":{}})", R"({"$dateFromParts":{"month":1}})",
        R"({"$dateFromParts":{"year":10000}})", R"({"$dateFromParts":{"year":2017,"isoWeek":1}})",
        R"({"$dateFromParts":{"isoWeekYear":2017,"day":1}})",
        R"({"$dateFromParts":{"year":2017,"month":40000}})",
        R"({"$dateFromParts":{"year":2017,"second":9223372036854775807}})"}) {
    EXPECT_TRUE(refused(bad)) << bad;
  }
}

TEST(DateToParts, GivesEitherCalendar) {
  EXPECT_EQ(of(R"({"$dateToParts":{"date":"$d"}})"),
            R"({"year":2017,"month":1,"day":1,"hour":1,"minute":29,"second":9,"millisecond":123})");
  EXPECT_EQ(of(R"({"$isoWeek":"$d"})"), "52");
  EXPECT_EQ(of(R"({"$dateToParts":{"date":"$d","iso8601":"$n"}})"), "null");
  EXPECT_TRUE(refused(R"({"$dateToParts":{"date":"$d","iso8601":1}})"));
}

}  // namespace
}  // namespace gantry::data::expr::dates_test

#include "evaluation.hpp"

namespace gantry::data::expr::types_test {
namespace {

std::string converted(std::string_view input, std::string_view rest) {
  return evaluated(R"({"$convert":{"input":)" + std::string(input) + "," + std::string(rest) +
                   "}}");
}

TEST(Type, NamesEveryTypeAndTheMissing) {
  EXPECT_EQ(evaluated(R"({"$type":"$none"})"), R"("missing")");
  EXPECT_EQ(evaluated(R"({"$type":{"$numberLong":"1"}})"), R"("long")");
  EXPECT_EQ(evaluated(R"({"$type":{"$literal":[1]}})"), R"("array")");
  EXPECT_EQ(evaluated(R"({"$isNumber":"1"})"), "false");
  EXPECT_EQ(evaluated(R"({"$isNumber":1.5})"), "true");
}

TEST(ToInt, TakesDigitsAndCutsDoubles) {
  EXPECT_EQ(evaluated(R"({"$toInt":"+0042"})"), "42");
  EXPECT_EQ(evaluated(R"({"$toInt":-7.9})"), "-7");
  EXPECT_EQ(evaluated(R"({"$toInt":true})"), "1");
  EXPECT_EQ(evaluated(R"({"$toInt":"$none"})"), "null");
  for (const char* bad : {R"("1.0")", R"("")", R"(" 1")", R"("+-1")", R"("0x1")", R"("2147483648")",
                          "2147483648.0", R"({"$numberDouble":"NaN"})",
                          R"({"$date":"2024-01-01T00:00:00Z"})", R"({"$literal":[1]})"}) {
    EXPECT_TRUE(is_refused(std::string(R"({"$toInt":)") + bad + "}")) << bad;
  }
}

TEST(ToLong, TakesDates) {
  EXPECT_EQ(evaluated(R"({"$toLong":{"$date":"1970-01-01T00:00:01Z"}})"),
            R"({"$numberLong":"1000"})");
  EXPECT_EQ(evaluated(R"({"$toLong":"-9223372036854775808"})"), "-9223372036854775808");
  EXPECT_EQ(evaluated(R"({"$toLong":-9223372036854775808.0})"), "-9223372036854775808");
  EXPECT_TRUE(is_refused(R"({"$toLong":9223372036854775808.0})"));
  EXPECT_TRUE(is_refused(R"({"$toLong":"9223372036854775808"})"));
}

TEST(ToDouble, ReadsCommonNumberFormatsAndRefusesOthers) {
  EXPECT_EQ(evaluated(R"({"$toDouble":".5"})"), "0.5");
  EXPECT_EQ(evaluated(R"({"$toDouble":"-1E2"})"), "-100.0");
  EXPECT_EQ(evaluated(R"({"$toDouble":"+0x1.8p1"})"), "3.0");
  EXPECT_EQ(evaluated(R"({"$toDouble":"-inf"})"), R"({"$numberDouble":"-Infinity"})");
  for (const char* bad : {"0x1", "0xp0", "1e309", "1e-400", "1.5e", " 1", "+-1", "", "1,5"}) {
    EXPECT_TRUE(is_refused(std::string(R"({"$toDouble":")") + bad + "\"}")) << bad;
  }
}

TEST(ToString, WritesTheShortestDouble) {
  EXPECT_EQ(evaluated(R"({"$toString":{"$add":[0.1,0.2]}})"), R"("0.30000000000000004")");
  EXPECT_EQ(evaluated(R"({"$toString":3.0})"), R"("3")");
  EXPECT_EQ(evaluated(R"({"$toString":1e16})"), R"("1e+16")");
  EXPECT_EQ(evaluated(R"({"$toString":9999999999999998.0})"), R"("9999999999999998")");
  EXPECT_EQ(evaluated(R"({"$toString":0.00009})"), R"("9e-05")");
  EXPECT_EQ(evaluated(R"({"$toString":-0.0})"), R"("-0")");
  EXPECT_EQ(evaluated(R"({"$toString":false})"), R"("false")");
  EXPECT_EQ(evaluated(R"({"$toString":{"$binary":{"base64":"AQID","subType":"00"}}})"),
            R"("AQID")");
  EXPECT_TRUE(is_refused(R"({"$toString":{"$literal":{"a":1}}})"));
}

TEST(ToBool, CallsEverythingTrueButZeroAndFalse) {
  EXPECT_EQ(evaluated(R"({"$toBool":""})"), "true");
  EXPECT_EQ(evaluated(R"({"$toBool":-0.0})"), "false");
  EXPECT_EQ(evaluated(R"({"$toBool":{"$numberDouble":"NaN"}})"), "true");
  EXPECT_EQ(evaluated(R"({"$toBool":{"$date":"1970-01-01T00:00:00Z"}})"), "true");
}

TEST(ToDate, TakesLongsDoublesAndText) {
  EXPECT_EQ(evaluated(R"({"$toDate":{"$numberLong":"-1"}})"),
            R"({"$date":"1969-12-31T23:59:59.999Z"})");
  EXPECT_EQ(evaluated(R"({"$toDate":1000.9})"), R"({"$date":"1970-01-01T00:00:01.000Z"})");
  EXPECT_EQ(evaluated(R"({"$toDate":"2018-03-20 11:00:06 +0500"})"),
            R"({"$date":"2018-03-20T06:00:06.000Z"})");
  EXPECT_TRUE(is_refused(R"({"$toDate":0})"));
  EXPECT_TRUE(is_refused(R"({"$toDate":"Friday"})"));
}

TEST(Convert, TakesTypesByNameNumberAndObject) {
  EXPECT_EQ(converted("1.5", R"("to":"int")"), "1");
  EXPECT_EQ(converted("1.5", R"("to":16)"), "1");
  EXPECT_EQ(converted("1.5", R"("to":{"type":"string"})"), R"("1.5")");
  EXPECT_EQ(converted("1.5", R"("to":{"type":"int","subtype":99,"other":1})"), "1");
  EXPECT_EQ(converted("1", R"("to":"$none","onError":2)"), "null");
  for (const char* bad : {R"("integer")", "99", "1.5", "true", R"({"subtype":0})",
                          R"({"type":"binData","subtype":10})"}) {
    EXPECT_TRUE(
        converted("1", std::string(R"("to":)") + bad + R"(,"onError":1)").starts_with("refused: "))
        << bad;
  }
}

TEST(Convert, GoesToOnNullAndOnErrorOnlyWhenItMust) {
  EXPECT_EQ(converted("null", R"("to":"int","onNull":"n","onError":"e")"), R"("n")");
  EXPECT_EQ(converted(R"("x")", R"("to":"int","onNull":"n","onError":"e")"), R"("e")");
  EXPECT_EQ(converted("{}", R"("to":"int","onError":"$none")"), "missing");
  EXPECT_EQ(evaluated(R"({"$convert":{"input":"$a","to":"int","onError":{"$divide":[1,"$z"]}}})",
                      R"({"a":"5","z":0})"),
            "5");
  EXPECT_TRUE(
      converted(R"("5")", R"("to":"int","onError":{"$divide":[1,0]})").starts_with("refused: "));
}

TEST(Convert, NamesTheUnsupportedTypes) {
  EXPECT_EQ(evaluated(R"({"$toDecimal":"1.5"})"),
            "refused: $toDecimal would make a decimal, which is not supported here.");
  EXPECT_EQ(evaluated(R"({"$toDecimal":null})"), "null");
  EXPECT_EQ(evaluated(R"({"$toObjectId":"507f1f77bcf86cd799439011"})"),
            "refused: $toObjectId would make an ObjectId, which is not supported here.");
  EXPECT_EQ(converted(R"("abc")", R"("to":"objectId","onError":1)"), "1");
  EXPECT_TRUE(is_refused(R"({"$toUUID":"0e3b9063-8abd-4eb3-9f9f-f4c59fd30a60"})"));
}

TEST(Convert, PutsTextAndNumbersIntoBinaryData) {
  EXPECT_EQ(converted(R"("-_8")", R"("to":"binData","format":"base64url")"),
            R"({"$binary":{"base64":"+/8=","subType":"00"}})");
  EXPECT_EQ(converted(R"("0aFF")", R"("to":"binData","format":"hex")"),
            R"({"$binary":{"base64":"Cv8=","subType":"00"}})");
  EXPECT_EQ(converted("258", R"("to":"binData","byteOrder":"big")"),
            R"({"$binary":{"base64":"AAABAg==","subType":"00"}})");
  EXPECT_TRUE(converted(R"("aGk")", R"("to":"binData","format":"base64","onError":1)") == "1");
  EXPECT_TRUE(converted(R"("a")", R"("to":"binData","onError":1)").starts_with("refused: "));
  EXPECT_TRUE(converted("1", R"("to":"int","format":"xml")").starts_with("refused: "));
}

TEST(Convert, ReadsBinaryData) {
  constexpr std::string_view kBytes = R"({"$binary":{"base64":"/v8=","subType":"00"}})";
  EXPECT_EQ(converted(kBytes, R"("to":"int")"), "-2");
  EXPECT_EQ(converted(kBytes, R"("to":"long","byteOrder":"big")"), R"({"$numberLong":"-257"})");
  EXPECT_EQ(converted(kBytes, R"("to":"double","onError":1)"), "1");
  EXPECT_EQ(converted(kBytes, R"("to":"string","format":"hex")"), R"("FEFF")");
  EXPECT_EQ(converted(kBytes, R"("to":"string","format":"base64url")"), R"("_v8")");
  EXPECT_EQ(converted(kBytes, R"("to":"string","format":"utf8","onError":1)"), "1");
  EXPECT_EQ(converted(R"({"$binary":{"base64":"AACAPw==","subType":"00"}})", R"("to":"double")"),
            "1.0");
}

TEST(Size, IsThatOfBson) {
  EXPECT_EQ(evaluated(R"({"$bsonSize":{"$literal":{"x":1}}})"), "12");
  EXPECT_EQ(evaluated(R"({"$bsonSize":{"$literal":{"a":["b",null,true,1.5]}}})"), "40");
  EXPECT_EQ(evaluated(R"({"$bsonSize":null})"), "null");
  EXPECT_TRUE(is_refused(R"({"$bsonSize":5})"));
  EXPECT_EQ(evaluated(R"({"$binarySize":"é"})"), "2");
  EXPECT_TRUE(is_refused(R"({"$binarySize":5})"));
}

}  // namespace
}  // namespace gantry::data::expr::types_test

#include <string>

#include "evaluation.hpp"

namespace gantry::data::expr::arithmetic_test {
namespace {

std::string long_text(const char* digits) {
  return std::string(R"({"$numberLong":")") + digits + "\"}";
}

const std::string kMost = long_text("9223372036854775807");
const std::string kLeast = long_text("-9223372036854775808");
const std::string kDay = R"({"$date":"2026-01-01T00:00:00Z"})";

std::string of(const char* op, const std::string& arguments) {
  return evaluated(std::string(R"({")") + op + "\":[" + arguments + "]}");
}

std::string type_of(const std::string& expression) {
  Variables variables;
  Context context;
  return std::string(
      parse_expression(value_of(expression), variables)->evaluate(context).type_name());
}

bool refuses(const char* op, const std::string& arguments) {
  return of(op, arguments).substr(0, 8) == "refused:";
}

TEST(Add, WidensAsItOutgrowsItsType) {
  EXPECT_EQ(of("$add", ""), "0");
  EXPECT_EQ(of("$add", "2147483647,1"), "2147483648");
  EXPECT_EQ(type_of(R"({"$add":[1,{"$numberLong":"2"}]})"), "long");
  EXPECT_EQ(type_of(R"({"$add":[1,2]})"), "int");
  EXPECT_EQ(of("$add", "1,0.5"), "1.5");
  EXPECT_EQ(of("$add", kMost + ",1"), "9223372036854775808.0");
}

TEST(Add, IgnoresOperandsAfterTheFirstNull) {
  EXPECT_EQ(of("$add", "1,null,\"x\""), "null");
  EXPECT_TRUE(refuses("$add", "\"x\",null"));
  EXPECT_TRUE(refuses("$add", "[1]"));
}

TEST(Add, MovesOneDateByMilliseconds) {
  EXPECT_EQ(of("$add", "1," + kDay + ",0.6"), R"({"$date":"2026-01-01T00:00:00.002Z"})");
  EXPECT_TRUE(refuses("$add", kDay + "," + kDay));
  EXPECT_TRUE(refuses("$add", kDay + "," + kMost));
  EXPECT_TRUE(refuses("$add", kDay + R"(,{"$numberDouble":"NaN"})"));
}

TEST(Add, RoundsMillisecondsHalfAwayFromZeroBesideADate) {
  const std::string early = R"({"$date":{"$numberLong":"-1000"}})";
  EXPECT_EQ(of("$add", early + ",0.5"), R"({"$date":"1969-12-31T23:59:59.001Z"})");
  EXPECT_EQ(of("$add", early + ",-0.5"), R"({"$date":"1969-12-31T23:59:58.999Z"})");
  EXPECT_EQ(of("$add", early + ",0.5,0.5"), R"({"$date":"1969-12-31T23:59:59.002Z"})");
  EXPECT_EQ(of("$add", "0.5,0.5," + early), R"({"$date":"1969-12-31T23:59:59.001Z"})");
  EXPECT_EQ(of("$subtract", early + ",0.5"), R"({"$date":"1969-12-31T23:59:58.999Z"})");
  // A double of this size has no place for the last digits.
  EXPECT_EQ(of("$add", R"({"$date":{"$numberLong":"9007199254740993"}},2.0)"),
            R"({"$date":{"$numberLong":"9007199254740995"}})");
}

TEST(Subtract, TakesNumbersAndDates) {
  EXPECT_EQ(of("$subtract", "-2147483648,1"), "-2147483649");
  EXPECT_EQ(of("$subtract", kLeast + ",1"), "-9223372036854775808.0");
  EXPECT_EQ(of("$subtract", kDay + "," + kDay), R"({"$numberLong":"0"})");
  EXPECT_EQ(of("$subtract", kDay + ",-2.5"), R"({"$date":"2026-01-01T00:00:00.003Z"})");
  EXPECT_EQ(of("$subtract", "\"x\",null"), "null");
  EXPECT_TRUE(refuses("$subtract", "1," + kDay));
  EXPECT_TRUE(refuses("$subtract", kDay + ",true"));
}

TEST(Multiply, BecomesADoubleWhereALongOverflows) {
  EXPECT_EQ(of("$multiply", "65536,65536"), "4294967296");
  EXPECT_EQ(of("$multiply", kMost + ",2"), "18446744073709551616.0");
  EXPECT_EQ(of("$multiply", "0,-0.0"), "-0.0");
  EXPECT_EQ(of("$multiply", "2,null,\"x\""), "null");
  EXPECT_TRUE(refuses("$multiply", "\"x\",2"));
}

TEST(Divide, IsAlwaysADoubleAndNeverByZero) {
  EXPECT_EQ(of("$divide", "7,2"), "3.5");
  EXPECT_EQ(of("$divide", "4,2"), "2.0");
  EXPECT_EQ(of("$divide", "null,\"x\""), "null");
  EXPECT_TRUE(refuses("$divide", "1,0"));
  EXPECT_TRUE(refuses("$divide", "1,true"));
}

TEST(Mod, KeepsTheSignOfTheDividend) {
  EXPECT_EQ(of("$mod", "-10,3"), "-1");
  EXPECT_EQ(of("$mod", kLeast + ",-1"), R"({"$numberLong":"0"})");
  EXPECT_EQ(of("$mod", "10.5,3"), "1.5");
  EXPECT_TRUE(refuses("$mod", "1,0.0"));
}

TEST(Abs, HasNoAnswerForTheLeastLong) {
  EXPECT_EQ(of("$abs", "-2147483648"), "2147483648");
  EXPECT_EQ(of("$abs", "-0.5"), "0.5");
  EXPECT_TRUE(refuses("$abs", kLeast));
}

TEST(Round, TakesTiesToTheEvenDigitOfTheExactValue) {
  EXPECT_EQ(of("$round", "2.5"), "2.0");
  EXPECT_EQ(of("$round", "-0.5"), "-0.0");
  EXPECT_EQ(of("$round", "1.25,1"), "1.2");
  EXPECT_EQ(of("$round", "1.005,2"), "1.0");
  EXPECT_EQ(of("$round", "3.995,2"), "4.0");
  EXPECT_EQ(of("$round", "99.96,1"), "100.0");
  EXPECT_EQ(of("$round", "60.0,-2"), "100.0");
  EXPECT_EQ(of("$round", "50.0,-2"), "0.0");
  EXPECT_EQ(of("$round", "1.298,100"), "1.298");
}

TEST(Round, OfIntegersStaysIntegral) {
  EXPECT_EQ(of("$round", "25,-1"), "20");
  EXPECT_EQ(of("$round", "-4995,-3"), "-5000");
  EXPECT_EQ(of("$round", "2147483647,-1"), "2147483650");
  EXPECT_EQ(of("$round", "7,-20"), "0");
  EXPECT_TRUE(refuses("$round", kMost + ",-1"));
}

TEST(Round, NeedsAWholePlaceInRange) {
  EXPECT_EQ(of("$round", "null,101"), "null");
  EXPECT_EQ(of("$round", "1.5,null"), "null");
  for (const char* place : {"101", "-21", "0.5", "true", "\"2\"", R"({"$numberDouble":"NaN"})"}) {
    EXPECT_TRUE(refuses("$round", std::string("1,") + place)) << place;
  }
}

TEST(Trunc, CutsTowardZero) {
  EXPECT_EQ(of("$trunc", "-1.9"), "-1.0");
  EXPECT_EQ(of("$trunc", "-19,-1"), "-10");
  EXPECT_EQ(of("$trunc", "1.999,2"), "1.99");
  EXPECT_EQ(of("$trunc", "0.9,-3"), "0.0");
  EXPECT_EQ(of("$ceil", "-0.5"), "-0.0");
  EXPECT_EQ(of("$floor", "3"), "3");
}

TEST(Pow, IsExactForIntegersThatFit) {
  EXPECT_EQ(of("$pow", "3,39"), "4052555153018976267");
  EXPECT_EQ(of("$pow", "-2,63"), "-9223372036854775808");
  EXPECT_EQ(of("$pow", "2,63"), "9223372036854775808.0");
  EXPECT_EQ(of("$pow", "2,-1"), "0.5");
  EXPECT_EQ(of("$pow", "-1,-3"), "-1");
  EXPECT_EQ(of("$pow", "4,0.5"), "2.0");
  EXPECT_TRUE(refuses("$pow", "0,-1"));
}

TEST(Logarithms, NeedNumbersAboveZero) {
  EXPECT_EQ(of("$log", "100,10"), "2.0");
  EXPECT_EQ(of("$log10", "1000"), "3.0");
  EXPECT_EQ(of("$ln", "1"), "0.0");
  EXPECT_TRUE(refuses("$ln", "0"));
  EXPECT_TRUE(refuses("$log", "8,1"));
  EXPECT_TRUE(refuses("$sqrt", "-1"));
  EXPECT_EQ(of("$sqrt", "null"), "null");
  EXPECT_EQ(of("$sigmoid", "0"), "0.5");
}

TEST(Bits, TakeIntsAndLongsOnly) {
  EXPECT_EQ(of("$bitAnd", "12,10"), "8");
  EXPECT_EQ(of("$bitAnd", ""), "-1");
  EXPECT_EQ(of("$bitOr", ""), "0");
  EXPECT_EQ(of("$bitXor", R"(-1,{"$numberLong":"0"})"), R"({"$numberLong":"-1"})");
  EXPECT_EQ(of("$bitNot", "5"), "-6");
  EXPECT_EQ(of("$bitOr", "1,null"), "null");
  EXPECT_TRUE(refuses("$bitOr", "1,2.0"));
}

TEST(Trigonometry, RefusesOperandsOutsideTheDomain) {
  EXPECT_EQ(of("$atan2", "0,1"), "0.0");
  EXPECT_EQ(of("$degreesToRadians", "180"), "3.141592653589793");
  EXPECT_EQ(of("$cos", "null"), "null");
  EXPECT_EQ(of("$sin", R"({"$numberDouble":"NaN"})"), R"({"$numberDouble":"NaN"})");
  EXPECT_TRUE(refuses("$cos", R"({"$numberDouble":"Infinity"})"));
  EXPECT_TRUE(refuses("$acos", "1.5"));
  EXPECT_TRUE(refuses("$acosh", "0.5"));
  EXPECT_TRUE(refuses("$tanh", "true"));
}

TEST(Sets, CountEqualElementsOnce) {
  EXPECT_EQ(of("$setUnion", "[3,1,1.0],[2]"), "[1,2,3]");
  EXPECT_EQ(of("$setUnion", "null,[2]"), "null");
  EXPECT_EQ(of("$setIntersection", "[2,1],[1.0,3]"), "[1]");
  EXPECT_EQ(of("$setDifference", "[2,1,2],[1]"), "[2]");
  EXPECT_EQ(of("$setEquals", "[1,2],[2,1,1]"), "true");
  EXPECT_EQ(of("$setIsSubset", "[[1]],[1]"), "false");
  EXPECT_EQ(of("$anyElementTrue", "[0,null,\"\"]"), "true");
  EXPECT_EQ(of("$allElementsTrue", "[]"), "true");
  EXPECT_TRUE(refuses("$setIsSubset", "null,[1]"));
  EXPECT_TRUE(refuses("$setEquals", "[1]"));
  EXPECT_TRUE(refuses("$anyElementTrue", "null"));
}

}  // namespace
}  // namespace gantry::data::expr::arithmetic_test

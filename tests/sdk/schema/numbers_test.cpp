#include "support.hpp"

namespace gantry::schema::test::numbers_test {
namespace {

TEST(Integers, BeyondTwoToThe53AreToldApart) {
  const char* schema = R"({"const": 9007199254740993})";
  EXPECT_TRUE(accepts(schema, "9007199254740993"));
  EXPECT_FALSE(accepts(schema, "9007199254740992"));
  EXPECT_FALSE(accepts(schema, "9007199254740992.0"));
}

TEST(Integers, AreComparedExactlyUpToTheLargest) {
  EXPECT_TRUE(accepts(R"({"maximum": 18446744073709551614})", "18446744073709551614"));
  EXPECT_FALSE(accepts(R"({"maximum": 18446744073709551614})", "18446744073709551615"));
  EXPECT_FALSE(accepts(R"({"minimum": -9223372036854775807})", "-9223372036854775808"));
  EXPECT_TRUE(accepts(R"({"exclusiveMinimum": -1})", "18446744073709551615"));
}

TEST(Integers, AreComparedExactlyWithFractions) {
  EXPECT_FALSE(accepts(R"({"maximum": 1.5})", "2"));
  EXPECT_TRUE(accepts(R"({"maximum": 1.5})", "1"));
  EXPECT_TRUE(accepts(R"({"minimum": -1.5})", "-1"));
  EXPECT_FALSE(accepts(R"({"maximum": 9007199254740992.0})", "9007199254740993"));
  EXPECT_TRUE(accepts(R"({"maximum": 1e300})", "18446744073709551615"));
  EXPECT_FALSE(accepts(R"({"minimum": 1e300})", "18446744073709551615"));
  EXPECT_TRUE(accepts(R"({"minimum": -1e300})", "-9223372036854775808"));
}

TEST(Integers, MayBeWrittenWithAPointOrAnExponent) {
  EXPECT_TRUE(accepts(R"({"type": "integer"})", "1.0"));
  EXPECT_TRUE(accepts(R"({"type": "integer"})", "1e3"));
  EXPECT_FALSE(accepts(R"({"type": "integer"})", "1.5"));
  EXPECT_TRUE(accepts(R"({"enum": [1]})", "1.0"));
  EXPECT_TRUE(accepts(R"({"const": 0})", "-0.0"));
}

TEST(MultipleOf, IsRightForDecimalFractions) {
  EXPECT_TRUE(accepts(R"({"multipleOf": 0.01})", "0.07"));
  EXPECT_TRUE(accepts(R"({"multipleOf": 0.01})", "19.99"));
  EXPECT_FALSE(accepts(R"({"multipleOf": 0.01})", "19.995"));
  EXPECT_TRUE(accepts(R"({"multipleOf": 0.0001})", "0.0075"));
  EXPECT_FALSE(accepts(R"({"multipleOf": 0.0001})", "0.00751"));
  EXPECT_TRUE(accepts(R"({"multipleOf": 0.0075})", "0.015"));
  EXPECT_TRUE(accepts(R"({"multipleOf": 2.5})", "-7.5"));
}

TEST(MultipleOf, NeitherOverflowsNorRounds) {
  EXPECT_FALSE(accepts(R"({"multipleOf": 0.123456789})", "1e308"));
  EXPECT_TRUE(accepts(R"({"multipleOf": 0.5})", "1e308"));
  EXPECT_TRUE(accepts(R"({"multipleOf": 1e-308})", "1e308"));
  EXPECT_FALSE(accepts(R"({"multipleOf": 1e308})", "1e-308"));
  EXPECT_TRUE(accepts(R"({"multipleOf": 3})", "18446744073709551615"));
  EXPECT_FALSE(accepts(R"({"multipleOf": 7})", "18446744073709551615"));
  EXPECT_TRUE(accepts(R"({"multipleOf": 2})", "-9223372036854775808"));
  EXPECT_TRUE(accepts(R"({"multipleOf": 1e300})", "0"));
}

TEST(UniqueItems, KnowsEqualNumbersHoweverWritten) {
  const char* schema = R"({"uniqueItems": true})";
  EXPECT_FALSE(accepts(schema, "[1, 1.0]"));
  EXPECT_TRUE(accepts(schema, "[9007199254740993, 9007199254740992.0]"));
  EXPECT_TRUE(accepts(schema, "[1, true, \"1\", [1], {\"1\": 1}, null, 0, false]"));
  EXPECT_FALSE(accepts(schema, R"([{"a": 1, "b": [2]}, {"b": [2.0], "a": 1.0}])"));
}

TEST(UniqueItems, IsRightForLongArraysToo) {
  std::string list = "[";
  for (int i = 0; i < 500; ++i) list += "{\"n\":" + std::to_string(i) + ",\"m\":[0]},";
  EXPECT_TRUE(accepts(R"({"uniqueItems": true})", list + "0, -1]"));
  EXPECT_FALSE(accepts(R"({"uniqueItems": true})", list + R"({"m":[-0.0],"n":7.0}])"));
}

}  // namespace
}  // namespace gantry::schema::test::numbers_test

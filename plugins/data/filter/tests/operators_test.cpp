#include <gtest/gtest.h>

#include <string>

#include "filter/tests/filter.hpp"

namespace gantry::data::filter::operators_test {
namespace {

TEST(Kinds, ExistsTakesAnyTruth) {
  EXPECT_TRUE(passes(R"({"a":{"$exists":"no"}})", R"({"a":null})"));
  EXPECT_TRUE(passes(R"({"a":{"$exists":0}})", R"({})"));
}

TEST(Kinds, TypeLooksAtElementsToo) {
  EXPECT_TRUE(passes(R"({"a":{"$type":"string"}})", R"({"a":[1,"x"]})"));
  EXPECT_TRUE(passes(R"({"a":{"$type":["array"]}})", R"({"a":[]})"));
  EXPECT_TRUE(passes(R"({"a":{"$type":"number"}})", R"({"a":1.5})"));
  EXPECT_FALSE(passes(R"({"a":{"$type":16}})", R"({"a":1.0})"));
  EXPECT_FALSE(passes(R"({"a":{"$type":"null"}})", R"({})"));
  EXPECT_FALSE(passes(R"({"a":{"$type":"objectId"}})", R"({"a":"x"})"));
  EXPECT_NE(refusal(R"({"a":{"$type":"text"}})"), "");
  EXPECT_NE(refusal(R"({"a":{"$type":0}})"), "");
}

TEST(Elements, SizeTakesNonNegative32BitIntegers) {
  EXPECT_TRUE(passes(R"({"a":{"$size":1.0}})", R"({"a":[7]})"));
  EXPECT_FALSE(passes(R"({"a":{"$size":2147483647}})", R"({"a":[7]})"));
  for (const char* size : {"-1", "1.5", "2147483648", "9007199254740993", "1e17", "1e300"}) {
    EXPECT_NE(refusal(R"({"a":{"$size":)" + std::string(size) + "}}"), "") << size;
  }
}

TEST(Numbers, ModTruncates) {
  EXPECT_TRUE(passes(R"({"a":{"$mod":[4.9,0]}})", R"({"a":8.7})"));
  EXPECT_TRUE(passes(R"({"a":{"$mod":[3,-1]}})", R"({"a":-4})"));
  EXPECT_TRUE(
      passes(R"({"a":{"$mod":[-1,0]}})", R"({"a":{"$numberLong":"-9223372036854775808"}})"));
  EXPECT_FALSE(passes(R"({"a":{"$mod":[4,0]}})", R"({"a":"8"})"));
  EXPECT_NE(refusal(R"({"a":{"$mod":[0.5,0]}})"), "");
  EXPECT_NE(refusal(R"({"a":{"$mod":[4]}})"), "");
}

TEST(Numbers, BitsGoOnAsTheSign) {
  EXPECT_TRUE(passes(R"({"a":{"$bitsAllSet":[1,200]}})", R"({"a":-2})"));
  EXPECT_TRUE(passes(R"({"a":{"$bitsAnyClear":3}})", R"({"a":2.0})"));
  EXPECT_FALSE(passes(R"({"a":{"$bitsAnySet":0}})", R"({"a":255})"));
  EXPECT_FALSE(passes(R"({"a":{"$bitsAllClear":1}})", R"({"a":2.5})"));
  EXPECT_TRUE(passes(R"({"a":{"$bitsAllSet":[9]}})",
                     R"({"a":{"$binary":{"base64":"AAI=","subType":"00"}}})"));
  EXPECT_NE(refusal(R"({"a":{"$bitsAllSet":-1}})"), "");
  EXPECT_NE(refusal(R"({"a":{"$bitsAllSet":[1.5]}})"), "");
}

TEST(Texts, RegexMatchesStringsOnly) {
  EXPECT_TRUE(passes(R"({"a":{"$regex":"^ÄB","$options":"i"}})", R"({"a":["x","äbc"]})"));
  EXPECT_FALSE(passes(R"({"a":{"$regex":"1"}})", R"({"a":1})"));
  EXPECT_NE(refusal(R"({"a":{"$regex":"["}})"), "");
  EXPECT_NE(refusal(R"({"a":{"$regex":"a","$options":"g"}})"), "");
  EXPECT_NE(refusal(R"({"a":{"$options":"i"}})"), "");
}

TEST(Root, CombinesFilters) {
  EXPECT_TRUE(passes(R"({"$or":[{"a":1},{"b":2}],"$comment":"x"})", R"({"b":2})"));
  EXPECT_FALSE(passes(R"({"$nor":[{"a":1},{"b":2}]})", R"({"b":2})"));
  EXPECT_TRUE(passes(R"({"$and":[{"a":1},{"$alwaysTrue":1}]})", R"({"a":1})"));
  EXPECT_FALSE(passes(R"({"$alwaysFalse":1})", R"({})"));
  EXPECT_TRUE(passes(R"({})", R"({})"));
}

TEST(Root, RefusesByName) {
  EXPECT_NE(refusal(R"({"$where":"true"})").find("code"), std::string::npos);
  EXPECT_NE(refusal(R"({"$jsonSchema":{}})").find("$jsonSchema"), std::string::npos);
  EXPECT_NE(refusal(R"({"$text":{"$search":"x"}})").find("index"), std::string::npos);
  EXPECT_NE(refusal(R"({"a":{"$gtt":1}})").find("$gt"), std::string::npos);
  EXPECT_NE(refusal(R"({"$gt":1})").find("behind a field"), std::string::npos);
  EXPECT_NE(refusal(R"({"a":{"$or":[]}})").find("top of a filter"), std::string::npos);
  EXPECT_NE(refusal(R"({"a":{"$elemMatch":{"$expr":true}}})"), "");
  EXPECT_NE(refusal(R"({"$and":[]})"), "");
  EXPECT_NE(refusal(R"([1])"), "");
}

TEST(Root, RefusesFiltersThatAreTooDeepOrTooLong) {
  std::string deep = R"({"$gt":1})";
  for (int i = 0; i < 120; ++i) deep = R"({"$not":)" + deep + "}";
  EXPECT_NE(refusal(R"({"a":)" + deep + "}").find("deep"), std::string::npos);
  std::string list = "1";
  for (int i = 0; i < 10'000; ++i) list += ",1";
  EXPECT_NE(refusal(R"({"a":{"$in":[)" + list + "]}}").find("10,000"), std::string::npos);
}

}  // namespace
}  // namespace gantry::data::filter::operators_test

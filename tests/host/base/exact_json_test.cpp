#include "host/base/exact_json.hpp"

#include <gtest/gtest.h>

#include <string>

namespace gantry::host {
namespace {

TEST(ExactJson, ReadsZerosWithLargeExponentsAsZeros) {
  for (const std::string zero : {"0E44", "0e-308", "0.0e99", "0e400", "-0E99999999999"}) {
    rapidjson::Document document;
    ASSERT_TRUE(parse_exact("{\"s\":\"0E44\",\"x\":" + zero + "}", document)) << zero;
    EXPECT_EQ(document["x"].GetDouble(), 0.0) << zero;
    EXPECT_STREQ(document["s"].GetString(), "0E44");
  }
}

TEST(ExactJson, ReadsFractionsToTheLastPlace) {
  rapidjson::Document document;
  ASSERT_TRUE(parse_exact("[0.1,1.7976931348623157e308,9007199254740993]", document));
  EXPECT_EQ(document[0].GetDouble(), 0.1);
  EXPECT_EQ(document[1].GetDouble(), 1.7976931348623157e308);
  EXPECT_EQ(document[2].GetInt64(), 9007199254740993);
}

TEST(ExactJson, IsFalseOfTextThatIsNoJsonAndOfNumbersBeyondReading) {
  rapidjson::Document document;
  for (const char* text : {"", "{", "[1e999999999]", "[1] x"}) {
    EXPECT_FALSE(parse_exact(text, document)) << text;
  }
  EXPECT_FALSE(parse_exact<rapidjson::kParseValidateEncodingFlag>("[\"\xff\"]", document));
}

TEST(ExactJson, ReadsWhatNestsDeep) {
  rapidjson::Document document;
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  EXPECT_TRUE(parse_exact(deep, document));
}

}  // namespace
}  // namespace gantry::host

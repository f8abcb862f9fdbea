#include "host/base/exact_json.hpp"

#include <gtest/gtest.h>

#include <string>

namespace gantry::host::exact_json_test {
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

std::string nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

TEST(ExactJson, ReadsNestedJsonUpToTheBound) {
  rapidjson::Document document;
  EXPECT_TRUE(parse_exact(nested(kMaxJsonDepth), document));
  EXPECT_FALSE(parse_exact(nested(kMaxJsonDepth + 1), document));
  EXPECT_FALSE(parse_exact(nested(200'000), document));
  std::string wide = "[";
  for (int i = 0; i < 1000; ++i) wide += R"({"a":[1]},)";
  EXPECT_TRUE(parse_exact(wide + "{}]", document)) << "many are not deep";
}

TEST(ExactJson, CountsNoLevelsInStrings) {
  const std::string brackets(1000, '[');
  EXPECT_FALSE(nests_too_deep("[\"" + brackets + "\"]"));
  EXPECT_FALSE(nests_too_deep(R"(["\")" + brackets + "\"]"));
  EXPECT_TRUE(nests_too_deep(R"(["\\",)" + brackets));
  EXPECT_FALSE(nests_too_deep("\"" + brackets + "\\"));
  EXPECT_FALSE(nests_too_deep(""));
}

}  // namespace
}  // namespace gantry::host::exact_json_test

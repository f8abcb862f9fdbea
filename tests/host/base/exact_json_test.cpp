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

std::string zeros(std::size_t count) { return std::string(count, '0'); }

// RapidJSON reads behind its tables at them.
TEST(ExactJson, ReadsNumbersNearZeroAsZeros) {
  for (const std::string& tiny :
       {"0." + zeros(400) + "1", "0." + zeros(40) + "1e-310", "0." + zeros(4000) + "12e-3",
        std::string("1e-400"), "12345." + zeros(3) + "e-99999", "-0." + zeros(330) + "99"}) {
    rapidjson::Document document;
    ASSERT_TRUE(parse_exact("[" + tiny + "]", document)) << tiny;
    EXPECT_EQ(document[0].GetDouble(), 0.0) << tiny;
  }
  rapidjson::Document document;
  ASSERT_TRUE(parse_exact("[5e-324,0." + zeros(307) + "22250738585072014]", document));
  EXPECT_EQ(document[0].GetDouble(), 5e-324);
  EXPECT_EQ(document[1].GetDouble(), 2.2250738585072014e-308);
}

TEST(ExactJson, RefusesNumbersBeyondDoubles) {
  for (const std::string& huge :
       {"9" + zeros(83) + "e276", "1" + zeros(400), "1" + zeros(300) + "e40",
        "1" + zeros(320) + ".5", std::string("1e310")}) {
    rapidjson::Document document;
    EXPECT_FALSE(parse_exact("[" + huge + "]", document)) << huge;
  }
  rapidjson::Document document;
  EXPECT_TRUE(parse_exact("[1" + zeros(300) + ",17" + zeros(300) + "e7]", document));
  EXPECT_FALSE(parse_exact("[00." + zeros(400) + "1]", document)) << "no number";
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

// Levels are counted in blocks of 64 bytes: quotes and escapes may lie anywhere across their ends.
TEST(ExactJson, CountsLevelsWhereverBlocksEnd) {
  const std::string brackets(kMaxJsonDepth + 1, '{');
  for (std::size_t blanks = 0; blanks < 130; ++blanks) {
    const std::string before = "[" + std::string(blanks, ' ');
    for (const std::string_view closed :
         {R"("")", R"("\\")", R"("\\\"")", R"("\"\"")", R"("]}")"}) {
      EXPECT_TRUE(nests_too_deep(before + std::string(closed) + "," + brackets))
          << closed << blanks;
    }
    for (const std::string_view open : {R"(")", R"("\\\\)", R"("\")", R"("\\\")", R"("]\"}\")"}) {
      EXPECT_FALSE(nests_too_deep(before + std::string(open) + brackets + "\"")) << open << blanks;
    }
    EXPECT_FALSE(nests_too_deep(before + nested(kMaxJsonDepth - 1) + "]")) << blanks;
    EXPECT_TRUE(nests_too_deep(before + nested(kMaxJsonDepth) + "]")) << blanks;
  }
}

}  // namespace
}  // namespace gantry::host::exact_json_test

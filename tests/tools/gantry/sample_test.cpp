#include "tools/gantry/check/sample.hpp"

#include <gtest/gtest.h>

namespace gantry::cli {
namespace {

TEST(Sample, IsTheSmallestValueThatFits) {
  EXPECT_EQ(sample(R"({"type":"object"})"), "{}");
  EXPECT_EQ(
      sample(R"({"type":"object","required":["a"],"properties":{"a":{"type":"string"},"b":{}}})"),
      R"({"a":"x"})");
  EXPECT_EQ(sample(R"({"type":"integer","minimum":3,"multipleOf":5})"), "5");
  EXPECT_EQ(sample(R"({"type":"integer","exclusiveMinimum":7})"), "8");
  EXPECT_EQ(sample(R"({"type":"number","maximum":-2.5})"), "-2.5");
  EXPECT_EQ(sample(R"({"type":"array","minItems":2,"items":{"type":"boolean"}})"), "[false,false]");
  EXPECT_EQ(sample(R"({"enum":["red","blue"]})"), "\"red\"");
  EXPECT_EQ(sample(R"({"const":{"a":1}})"), R"({"a":1})");
  EXPECT_EQ(sample(R"({"type":["null","string"]})"), "null");
  EXPECT_EQ(sample(R"({"type":"string","minLength":4})"), "\"xxxx\"");
}

TEST(Sample, FollowsReferencesAlternativesAndParts) {
  EXPECT_EQ(sample(R"({"$defs":{"id":{"type":"string","pattern":"^[0-9a-f]{24}$"}},"type":"object",
                       "required":["id"],"properties":{"id":{"$ref":"#/$defs/id"}}})"),
            R"({"id":"0123456789abcdef01234567"})");
  EXPECT_EQ(sample(R"({"oneOf":[{"type":"integer","minimum":5},{"type":"string"}]})"), "5");
  EXPECT_EQ(sample(R"({"allOf":[{"required":["a"]},{"properties":{"a":{"type":"integer"}}}],
                       "type":"object"})"),
            R"({"a":1})");
  EXPECT_EQ(sample(R"({"type":"string","format":"date"})"), "\"2026-01-02\"");
}

TEST(Sample, TriesAnotherAlternativeWhenTheFirstContradictsTheRest) {
  EXPECT_EQ(sample(R"({"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},
                       "anyOf":[{"required":["a"],"not":{"required":["a"]}},{"required":["b"]}]})"),
            R"({"b":0})");
}

TEST(Sample, IsEmptyWhenNoValueIsFound) {
  EXPECT_EQ(sample(R"({"type":"string","pattern":"^only this very text$"})"), std::nullopt);
  EXPECT_EQ(sample(R"({"type":"integer","minimum":2,"maximum":1})"), std::nullopt);
  EXPECT_EQ(sample("false"), std::nullopt);
  EXPECT_EQ(sample("no schema"), std::nullopt);
  EXPECT_EQ(
      sample(
          R"({"$defs":{"a":{"type":"object","required":["a"],"properties":{"a":{"$ref":"#/$defs/a"}}}},
                       "$ref":"#/$defs/a"})"),
      std::nullopt);
}

}  // namespace
}  // namespace gantry::cli

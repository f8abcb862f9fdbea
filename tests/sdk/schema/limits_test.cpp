#include "support.hpp"

namespace gantry::schema::test::limits_test {
namespace {

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

rapidjson::Document parse_deep(const std::string& json) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseIterativeFlag>(json.c_str());
  return document;
}

TEST(Limits, RefuseASchemaThatIsTooLong) {
  EXPECT_NE(refusal(R"({"title": "aaaaaaaaaaaaaaaaaa"})", {.max_bytes = 20}).find("20 bytes"),
            std::string::npos);
}

TEST(Limits, RefuseASchemaThatIsNestedTooDeeply) {
  std::string schema = "true";
  for (int i = 0; i < 129; ++i) schema = "{\"not\":" + schema + "}";
  EXPECT_NE(refusal(schema).find("nested deeper than 128"), std::string::npos) << refusal(schema);
  EXPECT_NE(refusal(R"({"const": )" + nested(100'000) + "}").find("nested deeper"),
            std::string::npos);
}

TEST(Limits, RefuseADocumentWithTooManySchemas) {
  EXPECT_NE(refusal(R"({"allOf": [true, true, true, true]})", {.max_schemas = 4})
                .find("more than 4 schemas"),
            std::string::npos);
}

TEST(Limits, StopAtAValueNestedTooDeeply) {
  const Validator tree = compiled(R"({"type": "array", "items": {"$ref": "#"}})");
  EXPECT_TRUE(tree.validate(parse_deep(nested(400))));
  const auto deep = parse_deep(nested(100'000));
  EXPECT_FALSE(tree.validate(deep));
  const auto errors = tree.errors(deep);
  ASSERT_FALSE(errors.empty());
  EXPECT_EQ(errors.back().keyword, "limit");
}

TEST(Limits, StopComparingValuesNestedTooDeeply) {
  const Validator unique = compiled(R"({"uniqueItems": true})");
  const std::string deep = nested(50'000);
  EXPECT_FALSE(unique.validate(parse_deep("[" + deep + "," + deep + "]")));
  std::string many = "[" + deep;
  for (int i = 0; i < 40; ++i) many += "," + deep;
  EXPECT_FALSE(unique.validate(parse_deep(many + "]")));
}

TEST(Limits, StopWorkThatMultiplies) {
  // Each level tries both branches of the next: 2^40 without a bound.
  std::string schema = R"({"type": "string"})";
  std::string defs;
  for (int i = 0; i < 40; ++i) {
    const std::string next =
        i == 0 ? schema : R"({"$ref": "#/$defs/d)" + std::to_string(i - 1) + "\"}";
    defs += (i == 0 ? "" : ",") + std::string("\"d") + std::to_string(i) + "\": {\"anyOf\": [" +
            next + "," + next + "]}";
  }
  const Validator validator =
      compiled(R"({"$ref": "#/$defs/d39", "$defs": {)" + defs + "}}", {.max_steps = 100'000});
  EXPECT_FALSE(validator.validate(parse("1")));
  const auto errors = validator.errors(parse("1"));
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].keyword, "limit");
  EXPECT_TRUE(validator.validate(parse("\"x\"")));
}

TEST(Limits, LeaveRoomForALargeValue) {
  std::string list = "[0";
  for (int i = 1; i < 200'000; ++i) list += "," + std::to_string(i);
  EXPECT_TRUE(compiled(R"({"items": {"type": "integer", "minimum": 0}, "uniqueItems": true})")
                  .validate(parse(list + "]")));
}

TEST(Limits, AreMetWithAnErrorAlsoByDynamicReferencesThatNeverEnd) {
  const Validator validator = compiled(
      R"({"$dynamicAnchor": "x", "$ref": "#/$defs/a", "$defs": {"a": {"$dynamicRef": "#x"}}})");
  EXPECT_FALSE(validator.validate(parse("1")));
  EXPECT_EQ(validator.errors(parse("1")).back().keyword, "limit");
}

}  // namespace
}  // namespace gantry::schema::test::limits_test

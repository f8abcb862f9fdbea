#include "support.hpp"

namespace gantry::schema::test::validator_test {
namespace {

TEST(Validator, DoesNotAllocateOnSuccess) {
  const Validator validator = compiled(R"({"type": "object", "properties": {
      "name": {"type": "string", "maxLength": 20}, "tags": {"type": "array", "uniqueItems": true,
      "items": {"enum": ["a", "b", 3]}}, "n": {"anyOf": [{"type": "null"}, {"multipleOf": 0.01}]}},
      "required": ["name"], "unevaluatedProperties": false})");
  const auto value = parse(R"({"name": "h\u00e9", "tags": ["a", 3], "n": 0.07})");
  const std::size_t before = allocations();
  const bool good = validator.validate(value);
  EXPECT_EQ(allocations(), before);
  EXPECT_TRUE(good);
}

TEST(Validator, KnowsMoreThan64RequiredNames) {
  std::string names;
  std::string members;
  for (int i = 0; i < 100; ++i) {
    names += (i > 0 ? ",\"p" : "\"p") + std::to_string(i) + "\"";
    members += (i > 0 ? ",\"p" : "\"p") + std::to_string(i) + "\": 1";
  }
  const std::string schema = R"({"required": [)" + names + "]}";
  EXPECT_TRUE(accepts(schema, "{" + members + "}"));
  EXPECT_FALSE(accepts(schema, "{" + members.substr(members.find(',') + 1) + "}"));
  EXPECT_FALSE(accepts(schema, "{" + members.substr(0, members.rfind(',')) + "}"));
}

TEST(Validator, KeepsRequiredNamesThatAreNotPropertiesUnderAdditional) {
  const char* schema = R"({"required": ["a"], "additionalProperties": {"type": "string"}})";
  EXPECT_TRUE(accepts(schema, R"({"a": "x"})"));
  EXPECT_FALSE(accepts(schema, R"({"a": 1})"));
}

TEST(Validator, FindsEveryOneOfManyNames) {
  std::string properties;
  for (int i = 0; i < 1000; ++i) {
    properties += (i > 0 ? ",\"name_" : "\"name_") + std::to_string(i) +
                  "\": {\"const\": " + std::to_string(i) + "}";
  }
  const Validator validator =
      compiled(R"({"additionalProperties": false, "properties": {)" + properties + "}}");
  for (int i = 0; i < 1000; ++i) {
    const std::string name = "{\"name_" + std::to_string(i) + "\": ";
    ASSERT_TRUE(validator.validate(parse(name + std::to_string(i) + "}"))) << i;
    ASSERT_FALSE(validator.validate(parse(name + "-1}"))) << i;
  }
  EXPECT_FALSE(validator.validate(parse(R"({"name_1000": 1})")));
}

TEST(Validator, TracksTheEvaluationOfManyElements) {
  std::string list = "[\"x\"";
  for (int i = 0; i < 1000; ++i) list += ",1";
  const char* schema = R"({"prefixItems": [{"type": "string"}], "contains": {"const": 1},
      "unevaluatedItems": false})";
  EXPECT_TRUE(accepts(schema, list + "]"));
  EXPECT_FALSE(accepts(schema, list + ",2]"));
}

TEST(Validator, ForgetsPropertiesThatAFailedBranchEvaluated) {
  const char* schema = R"({"anyOf": [{"properties": {"a": true, "b": {"type": "string"}},
      "required": ["b"]}, true], "unevaluatedProperties": false})";
  EXPECT_TRUE(accepts(schema, R"({"a": 1, "b": "x"})"));
  EXPECT_FALSE(accepts(schema, R"({"a": 1})"));
}

TEST(Validator, TreatsFormatAsAnAnnotation) {
  EXPECT_TRUE(accepts(R"({"format": "ipv4"})", R"("no address")"));
}

TEST(Validator, ComparesNamesByAllTheirBytes) {
  EXPECT_TRUE(accepts(R"({"properties": {"a\u0000b": false}})", R"({"a\u0000c": 1, "a": 1})"));
  EXPECT_FALSE(accepts(R"({"properties": {"a\u0000b": false}})", R"({"a\u0000b": 1})"));
  EXPECT_FALSE(accepts(R"({"properties": {"": false}})", R"({"": 1})"));
}

}  // namespace
}  // namespace gantry::schema::test::validator_test

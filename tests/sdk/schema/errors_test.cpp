#include "support.hpp"

namespace gantry::schema::test::errors_test {
namespace {

constexpr const char* kTool = R"({
  "type": "object",
  "properties": {
    "class_name": {"type": "string"},
    "where": {"type": "object", "properties": {"age": {"type": "integer", "minimum": 0}}},
    "keys": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
    "limit": {"type": "integer", "maximum": 1000},
    "format": {"enum": ["json", "csv", "table"]}
  },
  "required": ["class_name"], "additionalProperties": false})";

TEST(Explain, NamesTheMisspeltPropertyAndTheAllowedOnes) {
  EXPECT_EQ(explained(kTool, R"({"class_name": "Pet", "wher": {}})"),
            "arguments: unknown property 'wher'; did you mean 'where'? Allowed: class_name, where, "
            "keys, limit, format");
}

TEST(Explain, DoesNotSuggestAPresentName) {
  EXPECT_EQ(explained(kTool, R"({"class_name": "Pet", "where": {}, "wher": {}})"),
            "arguments: unknown property 'wher'; allowed: class_name, where, keys, limit, format");
}

TEST(Explain, TellsAMisspeltRequiredNameOnce) {
  EXPECT_EQ(explained(kTool, R"({"className": "Pet"})"),
            "arguments: unknown property 'className'; did you mean 'class_name'? Allowed: "
            "class_name, where, keys, limit, format");
}

TEST(Explain, PointsAtTheLikelyNameWhereOthersAreAllowed) {
  EXPECT_EQ(explained(R"({"required": ["where"]})", R"({"wher": 1})"),
            "arguments: missing property 'where'; there is 'wher', was it meant?");
  EXPECT_EQ(explained(R"({"required": ["where"]})", "{}"), "arguments: missing property 'where'");
}

TEST(Explain, SaysBoundAndValue) {
  EXPECT_EQ(explained(kTool, R"({"class_name": "Pet", "limit": 5000})"),
            "limit: expected integer <= 1000, got 5000");
}

TEST(Explain, SaysKindAndShortValue) {
  EXPECT_EQ(explained(kTool, R"({"class_name": 7, "limit": "5", "keys": null})"),
            "class_name: expected string, got number 7; limit: expected integer, got string \"5\"; "
            "keys: expected array, got null");
}

TEST(Explain, FindsTheNearestEnumValue) {
  EXPECT_EQ(explained(kTool, R"({"class_name": "Pet", "format": "jsno"})"),
            "format: expected one of \"json\", \"csv\", \"table\", got \"jsno\"; did you mean "
            "\"json\"?");
}

TEST(Explain, WritesReadablePaths) {
  EXPECT_EQ(explained(kTool, R"({"class_name": "Pet", "where": {"age": -1}, "keys": ["a", 2]})"),
            "where.age: expected integer >= 0, got -1; keys[1]: expected string, got number 2");
  EXPECT_EQ(explained(R"({"additionalProperties": {"items": false}})", R"({"a b": [1]})"),
            "[\"a b\"][0]: no value is allowed here");
}

TEST(Explain, CountsLengths) {
  EXPECT_EQ(explained(R"({"maxLength": 3})", R"("h\u00e9llo")"),
            "arguments: expected string of at most 3 characters, got string of 5 characters");
  EXPECT_EQ(explained(kTool, R"({"class_name": "Pet", "keys": ["a", "b", "c"]})"),
            "keys: expected array of at most 2 items, got array of 3 items");
  EXPECT_EQ(explained(R"({"minProperties": 2})", R"({"a": 1})"),
            "arguments: expected object of at least 2 properties, got object of 1 property");
}

TEST(Explain, SaysWhichNameAsksForAnother) {
  EXPECT_EQ(explained(R"({"dependentRequired": {"skip": ["order"]}})", R"({"skip": 1})"),
            "arguments: missing property 'order', which must accompany 'skip'");
}

TEST(Explain, TellsNamesFromValues) {
  EXPECT_EQ(explained(R"({"propertyNames": {"maxLength": 2}})", R"({"abc": 1})"),
            "abc: as property name: expected string of at most 2 characters, got string of 3 "
            "characters");
}

TEST(Explain, JoinsTheKindsOfAlternatives) {
  EXPECT_EQ(explained(R"({"anyOf": [{"type": "string"}, {"type": "integer"}]})", "[]"),
            "arguments: expected string or integer, got array of 0 items");
}

TEST(Explain, FollowsTheOnlyAlternativeThatFits) {
  EXPECT_EQ(explained(R"({"properties": {"id": {"oneOf": [{"type": "string"},
      {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}]}}})",
                      R"({"id": {"n": "1"}})"),
            "id.n: expected integer, got string \"1\"");
}

TEST(Explain, FollowsTheAlternativeItsConstantNames) {
  constexpr const char* kShapes = R"({"oneOf": [
    {"properties": {"kind": {"const": "circle"}, "r": {"type": "number"}}, "required": ["kind"]},
    {"properties": {"kind": {"const": "box"}, "w": {"type": "number"}}, "required": ["kind", "w"]}
  ]})";
  EXPECT_EQ(explained(kShapes, R"({"kind": "box"})"), "arguments: missing property 'w'");
  EXPECT_EQ(explained(kShapes, R"({"kind": "circle", "r": "1"})"),
            "r: expected number, got string \"1\"");
}

TEST(Explain, SaysWhenTooManyAlternativesMatch) {
  EXPECT_EQ(explained(R"({"oneOf": [{"type": "string"}, {"minimum": 1}, {"maximum": 9}]})", "5"),
            "arguments: expected a value that matches exactly one alternative, got one that "
            "matches alternatives 2 and 3");
}

TEST(Explain, NamesThePropertiesOfCombinedSchemas) {
  EXPECT_EQ(explained(R"({"allOf": [{"properties": {"name": true}}],
      "properties": {"size": true}, "unevaluatedProperties": false})",
                      R"({"nam": 1})"),
            "arguments: unknown property 'nam'; did you mean 'name'? Allowed: size, name");
}

TEST(Explain, IsEmptyWithoutErrors) { EXPECT_EQ(explained("true", "1"), ""); }

TEST(Error, GivesPlaceAndRuleForPrograms) {
  const auto errors =
      compiled(kTool).errors(parse(R"({"class_name": "Pet", "where": {"age": -1}})"));
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].pointer, "/where/age");
  EXPECT_EQ(errors[0].path, "where.age");
  EXPECT_EQ(errors[0].keyword, "minimum");
  EXPECT_EQ(errors[0].schema, "#/properties/where/properties/age");
  EXPECT_EQ(errors[0].expected, "integer >= 0");
  EXPECT_EQ(errors[0].found, "-1");
}

TEST(Error, NeverQuotesSecretOrLongValues) {
  const std::string secret = "hunter2";
  for (const char* mark : {R"("writeOnly": true)", R"("format": "password")"}) {
    const std::string schema = std::string("{") + mark + R"(, "pattern": "^x", "enum": ["x"]})";
    const std::string sentence = explained(schema, "\"" + secret + "\"");
    EXPECT_EQ(sentence.find(secret), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("7 characters"), std::string::npos) << sentence;
  }
  const char* by_reference = R"({"properties": {"token": {"writeOnly": true, "$ref": "#/$defs/t"}},
      "$defs": {"t": {"items": {"pattern": "^x"}}}})";
  const std::string inside = explained(by_reference, "{\"token\": [\"" + secret + "\"]}");
  EXPECT_EQ(inside.find(secret), std::string::npos) << inside;
  EXPECT_NE(inside.find("token[0]"), std::string::npos) << inside;
  const std::string text(5000, 'y');
  EXPECT_LT(explained(R"({"type": "null"})", "\"" + text + "\"").size(), 100U);
}

TEST(Error, ListIsBounded) {
  std::string list = "[";
  for (int i = 0; i < 100; ++i) list += "\"x\",";
  const Validator validator = compiled(R"({"items": {"type": "integer"}})");
  EXPECT_EQ(validator.errors(parse(list + "1]")).size(), 8U);
  EXPECT_EQ(validator.errors(parse(list + "1]"), 3).size(), 3U);
}

TEST(Error, ClipsLongNamesAtCodePoints) {
  std::string name;
  for (int i = 0; i < 100; ++i) name += "\xc3\xa9";
  const std::string sentence =
      explained(R"({"additionalProperties": false})", "{\"a" + name + "\": 1}");
  EXPECT_LT(sentence.size(), 150U);
  EXPECT_EQ(sentence.find("\xc3..."), std::string::npos) << sentence;
}

}  // namespace
}  // namespace gantry::schema::test::errors_test

#include <gantry/schema/metaschema.hpp>

#include "support.hpp"

namespace gantry::schema::test {
namespace {

bool says(const std::string& sentence, std::string_view part) {
  return sentence.find(part) != std::string::npos;
}

TEST(Compile, RefusesTextThatIsNotJson) {
  EXPECT_TRUE(says(refusal("{\"type\": "), "not JSON"));
  EXPECT_TRUE(says(refusal(""), "not JSON"));
  EXPECT_TRUE(says(refusal("{} {}"), "not JSON"));
}

TEST(Compile, RefusesAValueThatIsNotASchema) {
  EXPECT_EQ(refusal("[]"), "schema at '#': must be a schema (an object, true or false)");
}

TEST(Compile, IsTheAuthorsFault) {
  EXPECT_EQ(Validator::compile("[]").status().code(), GANTRY_INVALID_ARGUMENT);
}

struct BadKeyword {
  const char* schema;
  const char* place;
  const char* reason;
};

class CompileKeyword : public testing::TestWithParam<BadKeyword> {};

TEST_P(CompileKeyword, OfTheWrongShapeIsRefusedWithPlaceAndReason) {
  const std::string sentence = refusal(GetParam().schema);
  EXPECT_TRUE(says(sentence, std::string("'") + GetParam().place + "'")) << sentence;
  EXPECT_TRUE(says(sentence, GetParam().reason)) << sentence;
}

INSTANTIATE_TEST_SUITE_P(
    Wrong, CompileKeyword,
    testing::Values(
        BadKeyword{R"({"type": "strin"})", "#/type", "must be one of null"},
        BadKeyword{R"({"type": []})", "#/type", "must be one of null"},
        BadKeyword{R"({"type": ["null", "null"]})", "#/type", "distinct"},
        BadKeyword{R"({"properties": {"a/b": {"minimum": "1"}}})", "#/properties/a~1b/minimum",
                   "must be a number"},
        BadKeyword{R"({"multipleOf": 0})", "#/multipleOf", "above 0"},
        BadKeyword{R"({"minLength": -1})", "#/minLength", "0 or more"},
        BadKeyword{R"({"maxItems": 1.5})", "#/maxItems", "0 or more"},
        BadKeyword{R"({"required": ["a", "a"]})", "#/required", "distinct strings"},
        BadKeyword{R"({"required": true})", "#/required", "distinct strings"},
        BadKeyword{R"({"enum": 1})", "#/enum", "must be an array"},
        BadKeyword{R"({"items": [{}]})", "#/items", "must be a schema"},
        BadKeyword{R"({"prefixItems": []})", "#/prefixItems", "one or more schemas"},
        BadKeyword{R"({"anyOf": [{}, 1]})", "#/anyOf", "one or more schemas"},
        BadKeyword{R"({"properties": {"a": 1}})", "#/properties", "object of schemas"},
        BadKeyword{R"({"$defs": {"a": {"not": 1}}})", "#/$defs/a/not", "must be a schema"},
        BadKeyword{R"({"dependentRequired": {"a": "b"}})", "#/dependentRequired", "arrays"},
        BadKeyword{R"({"uniqueItems": 1})", "#/uniqueItems", "true or false"},
        BadKeyword{R"({"$anchor": "1a"})", "#/$anchor", "must be a letter"},
        BadKeyword{R"({"$id": "http://x.org/#a"})", "#/$id", "without fragment"},
        BadKeyword{R"({"$vocabulary": {"x": 1}})", "#/$vocabulary", "true and false"},
        BadKeyword{R"({"title": 1})", "#/title", "must be a string"},
        BadKeyword{R"({"pattern": "["})", "#/pattern", "not a regular expression"}));

TEST(Compile, RefusesAnotherDialectByName) {
  const std::string old = refusal(R"({"$schema": "http://json-schema.org/draft-07/schema#"})");
  EXPECT_TRUE(says(old, "http://json-schema.org/draft-07/schema#")) << old;
  EXPECT_TRUE(says(old, "only JSON Schema 2020-12")) << old;
  EXPECT_TRUE(says(refusal(R"({"$defs": {"a": {"$id": "a", "$schema": "urn:mine"}}})"),
                   "#/$defs/a/$schema"));
  EXPECT_EQ(refusal(R"({"$schema": "https://json-schema.org/draft/2020-12/schema#"})"), "");
}

TEST(Reference, ThatLeavesTheDocumentIsRefusedByName) {
  const std::string sentence =
      refusal(R"({"properties": {"a": {"$ref": "https://example.com/other.json#/x"}}})");
  EXPECT_TRUE(says(sentence, "'#/properties/a'")) << sentence;
  EXPECT_TRUE(says(sentence, "'https://example.com/other.json#/x'")) << sentence;
  EXPECT_TRUE(says(sentence, "never fetched")) << sentence;
  EXPECT_TRUE(says(refusal(R"({"$dynamicRef": "other.json#x"})"), "'other.json#x'"));
}

TEST(Reference, ThatDanglesInsideIsRefusedByName) {
  EXPECT_TRUE(says(refusal(R"({"$ref": "#/$defs/a"})"), "'#/$defs/a' points at nothing"));
  EXPECT_TRUE(says(refusal(R"({"$ref": "#a"})"), "'#a' names an anchor that does not exist"));
  EXPECT_TRUE(says(refusal(R"({"$ref": "#/title", "title": "x"})"), "no schema"));
  EXPECT_TRUE(says(refusal(R"({"$ref": "#/%zz"})"), "hexadecimal"));
}

TEST(Reference, MayLeadToTheMetaschemas) {
  EXPECT_EQ(refusal(R"({"$ref": "https://json-schema.org/draft/2020-12/meta/core"})"), "");
}

TEST(Reference, ThatAppliesItselfForeverIsRefused) {
  EXPECT_TRUE(says(refusal(R"({"$ref": "#"})"), "would never end"));
  EXPECT_TRUE(says(refusal(R"({"$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]},
      "b": {"anyOf": [true, {"$ref": "#/$defs/a"}]}}})"),
                   "would never end"));
  EXPECT_EQ(refusal(R"({"properties": {"a": {"$ref": "#"}}, "items": {"$ref": "#"}})"), "");
}

TEST(Names, ThatAreGivenTwiceAreRefused) {
  EXPECT_TRUE(says(refusal(R"({"$defs": {"a": {"$id": "x"}, "b": {"$id": "x"}}})"), "$id 'x'"));
  EXPECT_TRUE(
      says(refusal(R"({"$defs": {"a": {"$anchor": "x"}, "b": {"$anchor": "x"}}})"), "anchor 'x'"));
}

TEST(Compile, KeepsNothingOfTheDocument) {
  auto text = std::make_unique<std::string>(
      R"({"properties": {"kind": {"enum": ["first-long-enough-to-be-no-short-string"]},
          "other": {"const": {"deep": ["second-long-enough-to-be-no-short-string"]}}}})");
  auto document = std::make_unique<rapidjson::Document>();
  document->ParseInsitu(text->data());
  const auto validator = Validator::compile(*document);
  ASSERT_TRUE(validator) << validator.message();
  std::fill(text->begin(), text->end(), '#');
  document.reset();
  text.reset();
  EXPECT_TRUE(validator->validate(parse(R"({"kind": "first-long-enough-to-be-no-short-string",
      "other": {"deep": ["second-long-enough-to-be-no-short-string"]}})")));
  EXPECT_FALSE(validator->validate(parse(R"({"other": {"deep": ["x"]}})")));
}

TEST(Metaschema, JudgesSchemas) {
  const auto text = metaschema(kDialect);
  ASSERT_TRUE(text.has_value());
  const Validator validator = compiled(*text);
  EXPECT_TRUE(validator.validate(parse(*text)));
  EXPECT_TRUE(validator.validate(parse(R"({"properties": {"a": {"type": "string"}}})")));
  EXPECT_FALSE(validator.validate(parse(R"({"properties": {"a": {"type": "strin"}}})")));
  EXPECT_FALSE(validator.validate(parse(R"({"allOf": [{"minLength": -1}]})")));
}

TEST(Metaschema, DocumentsAllCompileAndDescribeEachOther) {
  const Validator validator =
      compiled(R"({"$ref": "https://json-schema.org/draft/2020-12/schema"})");
  for (const char* name :
       {"schema", "meta/core", "meta/applicator", "meta/unevaluated", "meta/validation",
        "meta/meta-data", "meta/format-annotation", "meta/format-assertion", "meta/content"}) {
    const auto text = metaschema(std::string("https://json-schema.org/draft/2020-12/") + name);
    ASSERT_TRUE(text.has_value()) << name;
    EXPECT_EQ(refusal(*text), "") << name;
    EXPECT_TRUE(validator.validate(parse(*text))) << name;
  }
  EXPECT_FALSE(metaschema("https://json-schema.org/draft/2019-09/schema").has_value());
}

}  // namespace
}  // namespace gantry::schema::test

// Schemas and values damaged at random: nothing crashes, both ways of checking agree, and every
// schema that compiles is valid by the metaschema.
#include <array>
#include <random>

#include "support.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace gantry::schema::test::fuzz_test {
namespace {

using Random = std::mt19937;

constexpr std::array kSeeds{
    R"({"type": "object", "properties": {"a": {"type": ["integer", "null"], "minimum": 0},
        "b": {"$ref": "#/$defs/s"}}, "required": ["a"], "additionalProperties": false,
        "$defs": {"s": {"type": "string", "pattern": "^[a-c]+(x|y)*$", "minLength": 2}}})",
    R"({"anyOf": [{"type": "string"}, {"items": {"$ref": "#"}}], "not": {"const": [[]]}})",
    R"({"allOf": [{"properties": {"a": true}}, {"patternProperties": {"^b": {"enum": [1, "a"]}}}],
        "if": {"required": ["a"]}, "then": {"maxProperties": 3}, "else": {"minProperties": 1},
        "unevaluatedProperties": {"multipleOf": 0.5}, "dependentRequired": {"a": ["b"]}})",
    R"({"prefixItems": [{"$anchor": "x", "type": "integer"}], "contains": {"$ref": "#x"},
        "minContains": 2, "maxContains": 3, "uniqueItems": true, "unevaluatedItems": false})",
    R"({"$id": "http://e.org/r", "$dynamicAnchor": "n", "properties": {"a": {"$dynamicRef": "#n"},
        "b": {"$id": "sub", "$dynamicAnchor": "n", "oneOf": [{"type": "number"}, {"maximum": 5}]}},
        "dependentSchemas": {"a": {"propertyNames": {"maxLength": 2}}}})",
    R"({"a": 1, "b": "abcxy", "bc": [1, 1.0, {"a": null}]})",
    R"([1, 2, [3, {"a": "b"}], "a", null, true])"};

// Pieces a mutation puts in place of another, or in between.
constexpr std::array kPieces{"{",           "}",
                             "[",           "]",
                             "\"a\"",       "\"$ref\"",
                             "\"#\"",       "1",
                             "-0.5",        "1e308",
                             "null",        "true",
                             "false",       "\"type\"",
                             ":",           ",",
                             "\"not\"",     "\"$id\"",
                             "\"#/a\"",     "\"items\"",
                             "\"^(a+)+$\"", "18446744073709551615"};

std::size_t pick(Random& random, std::size_t n) {
  return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
}

std::string mutated(std::string text, Random& random) {
  for (std::size_t n = 1 + pick(random, 3); n > 0; --n) {
    const std::size_t at = pick(random, text.size() + 1);
    const std::size_t length = std::min(pick(random, 6), text.size() - at);
    text.replace(at, length, pick(random, 2) == 0 ? kPieces[pick(random, kPieces.size())] : "");
  }
  return text;
}

void collect(rapidjson::Value& value, std::vector<rapidjson::Value*>& out) {
  out.push_back(&value);
  if (value.IsArray()) {
    for (auto& item : value.GetArray()) collect(item, out);
  } else if (value.IsObject()) {
    for (auto& member : value.GetObject()) collect(member.value, out);
  }
}

// Puts a piece of one document in place of a piece of another: stays JSON, mostly stays a schema.
std::string grafted(const std::string& text, const std::string& donor, Random& random) {
  auto document = parse(text);
  auto source = parse(donor);
  std::vector<rapidjson::Value*> places;
  std::vector<rapidjson::Value*> pieces;
  collect(document, places);
  collect(source, pieces);
  places[pick(random, places.size())]->CopyFrom(*pieces[pick(random, pieces.size())],
                                                document.GetAllocator());
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  document.Accept(writer);
  return buffer.GetString();
}

const CompileOptions kSmall{.max_depth = 100, .max_steps = 20'000};

struct Counts {
  int compiled = 0;
  int valid = 0;
  int invalid = 0;
};

void check(const std::string& schema, const Validator& judge, Counts& counts) {
  const auto validator = Validator::compile(schema, kSmall);
  if (!validator) {
    EXPECT_FALSE(validator.message().empty());
    return;
  }
  ++counts.compiled;
  const auto document = parse(schema);
  EXPECT_TRUE(judge.validate(document)) << schema << "\n" << explain(judge.errors(document));
  for (const char* instance : kSeeds) {
    const auto value = parse(instance);
    const bool good = validator->validate(value);
    (good ? counts.valid : counts.invalid) += 1;
    const auto errors = validator->errors(value);
    EXPECT_EQ(good, errors.empty()) << schema << "\non " << instance;
    EXPECT_LE(errors.size(), 8U);
  }
}

TEST(Fuzz, MutatedTextNeverCrashesAndChecksAgree) {
  Random random(20201212);
  const Validator judge = compiled(R"({"$ref": "https://json-schema.org/draft/2020-12/schema"})");
  Counts counts;
  for (int i = 0; i < 6000; ++i) {
    check(mutated(kSeeds[pick(random, kSeeds.size())], random), judge, counts);
  }
  EXPECT_GT(counts.compiled, 100);
}

TEST(Fuzz, GraftedSchemasNeverCrashAndChecksAgree) {
  Random random(7);
  const Validator judge = compiled(R"({"$ref": "https://json-schema.org/draft/2020-12/schema"})");
  Counts counts;
  for (int i = 0; i < 2000; ++i) {
    std::string schema = kSeeds[pick(random, 5)];
    for (std::size_t n = 1 + pick(random, 3); n > 0; --n) {
      schema = grafted(schema, kSeeds[pick(random, kSeeds.size())], random);
    }
    check(schema, judge, counts);
  }
  EXPECT_GT(counts.compiled, 200);
  EXPECT_GT(counts.valid, 100);
  EXPECT_GT(counts.invalid, 100);
}

}  // namespace
}  // namespace gantry::schema::test::fuzz_test

// How long checking the arguments of a tool takes: validate() alone, on a parsed value.
#include <benchmark/benchmark.h>
#include <rapidjson/document.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

#include <gantry/schema/validator.hpp>

namespace {

using gantry::schema::Validator;

constexpr std::string_view kSchema = R"json({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "class_name": {"type": "string", "minLength": 1, "maxLength": 128},
    "where": {"type": "object"},
    "keys": {"type": "array", "items": {"type": "string", "minLength": 1}, "maxItems": 100},
    "include": {"type": "array", "items": {"type": "string"}, "uniqueItems": true},
    "order": {"type": "array", "items": {"type": "object", "additionalProperties": false,
      "properties": {"key": {"type": "string"}, "direction": {"enum": ["asc", "desc"]}},
      "required": ["key"]}},
    "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100},
    "skip": {"type": "integer", "minimum": 0},
    "format": {"enum": ["json", "csv", "markdown", "table"]},
    "ratio": {"type": ["number", "null"], "exclusiveMinimum": 0, "maximum": 1},
    "apply_filter": {"type": "boolean"}
  },
  "required": ["class_name"],
  "additionalProperties": false
})json";

constexpr std::string_view kGood = R"json({
  "class_name": "Subdivision",
  "where": {"country": "FR", "kind": {"$in": ["region", "department"]}},
  "keys": ["name", "code", "kind", "parent", "country"],
  "include": ["parent", "country"],
  "order": [{"key": "name", "direction": "asc"}, {"key": "code"}],
  "limit": 200, "skip": 40, "format": "markdown", "ratio": 0.25, "apply_filter": true
})json";

constexpr std::string_view kBad = R"json({"class_nam": "Subdivision", "limit": 5000})json";

constexpr std::string_view kPattern =
    R"json({"type": "object", "properties": {"name": {"pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}}})json";

Validator compiled(std::string_view schema) {
  auto validator = Validator::compile(schema);
  if (validator) return *validator;
  std::cerr << validator.message() << '\n';
  std::abort();
}

void validate(benchmark::State& state, std::string_view schema, std::string_view instance) {
  const Validator validator = compiled(schema);
  rapidjson::Document document;
  document.Parse(instance.data(), instance.size());
  for (auto _ : state) benchmark::DoNotOptimize(validator.validate(document));
}

void tool_arguments(benchmark::State& state) { validate(state, kSchema, kGood); }
BENCHMARK(tool_arguments);

void one_pattern(benchmark::State& state) {
  validate(state, kPattern, R"json({"name": "subdivision_code"})json");
}
BENCHMARK(one_pattern);

void schema_against_metaschema(benchmark::State& state) {
  validate(state, R"json({"$ref": "https://json-schema.org/draft/2020-12/schema"})json", kSchema);
}
BENCHMARK(schema_against_metaschema);

void explain_two_errors(benchmark::State& state) {
  const Validator validator = compiled(kSchema);
  rapidjson::Document document;
  document.Parse(kBad.data(), kBad.size());
  for (auto _ : state) {
    benchmark::DoNotOptimize(gantry::schema::explain(validator.errors(document)));
  }
}
BENCHMARK(explain_two_errors);

void compile_tool_schema(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Validator::compile(kSchema).is_ok());
}
BENCHMARK(compile_tool_schema);

}  // namespace

BENCHMARK_MAIN();

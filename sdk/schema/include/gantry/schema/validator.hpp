// gantry/schema/validator.hpp: JSON Schema 2020-12, compiled once, asked often.
//
// A Validator is the compiled form of one schema document. It keeps nothing of the document it
// was compiled from, never changes, and is cheap to copy (copies share the program).
//
// Limits. Compiling refuses documents over CompileOptions' bounds. Checking spends at most
// `max_steps` steps (about one per rule applied, element compared or piece of a pattern tried) and
// applies at most `max_depth` schemas within one another, taking about 1 KiB of stack for each;
// a value that would need more is not valid, and errors() says which limit was met.
//
// References are looked up inside the document and among the dialect's own metaschemas; anything
// else, and any other dialect in `$schema`, is refused when compiling. Nothing is ever fetched.
// `format` and the `content*` keywords are annotations: they never make a value invalid.
//
// Numbers are compared exactly. Parse with rapidjson::kParseFullPrecisionFlag what `multipleOf`
// is to judge: the default parse of a decimal fraction may be off in the last place.
//
// Threads: compile, validate and errors may run at the same time on any threads; no locks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <rapidjson/document.h>

#include <gantry/result.hpp>
#include <gantry/schema/error.hpp>

namespace gantry::schema {

namespace detail {
struct Program;
}

struct CompileOptions {
  // Of the schema document: bytes of text, nesting of its JSON, schemas in it (and in the
  // metaschemas it refers to).
  std::size_t max_bytes = 4U << 20U;
  std::uint32_t max_nesting = 128;
  std::uint32_t max_schemas = 100'000;
  // Of every later check, see above.
  std::uint32_t max_depth = 1000;
  std::uint64_t max_steps = 5'000'000;
};

class Validator {
 public:
  // Compiles a schema. Fails with GANTRY_INVALID_ARGUMENT, the author of the schema being at
  // fault; the sentence names the place in the schema (JSON pointer) and the reason.
  static Result<Validator> compile(std::string_view schema_json,
                                   const CompileOptions& options = {});
  static Result<Validator> compile(const rapidjson::Value& schema,
                                   const CompileOptions& options = {});

  // Whether `instance` satisfies the schema. Does not allocate unless the schema has a `pattern`
  // or judges the uniqueness or evaluation of more than some dozens of elements.
  bool validate(const rapidjson::Value& instance) const;

  // Why it does not: at most `max` findings in the order they are met; empty when it does. Slower
  // than validate(), so ask only after it said no.
  std::vector<Error> errors(const rapidjson::Value& instance, std::size_t max = 8) const;

 private:
  explicit Validator(std::shared_ptr<const detail::Program> program);
  std::shared_ptr<const detail::Program> program_;
};

}  // namespace gantry::schema

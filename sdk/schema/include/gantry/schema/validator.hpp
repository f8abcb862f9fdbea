// gantry/schema/validator.hpp: JSON Schema 2020-12; a schema is compiled once and used many times.
//
// A Validator is the compiled form of one schema document. It does not refer to the document, is
// immutable, and is cheap to copy (copies share the program).
//
// Limits. Compiling refuses documents that exceed CompileOptions. A check uses at most `max_steps`
// steps (about one per applied rule, compared element or tried piece of a pattern) and nests at
// most `max_depth` schemas, with about 1 KiB of stack for each. A value that would need more is
// invalid, and errors() names the limit.
//
// References are resolved inside the document and among the dialect's own metaschemas. Any other
// reference, and any other dialect in `$schema`, is refused by compile(). Nothing is ever fetched.
// `format` and the `content*` keywords are annotations: they never make a value invalid.
//
// Numbers are compared exactly. Parse values for `multipleOf` with
// rapidjson::kParseFullPrecisionFlag: the default parse of a decimal fraction may be wrong in the
// last digit.
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
  // Limits of the schema document: bytes of text, nesting of its JSON, number of schemas in it (and
  // in the metaschemas it refers to).
  std::size_t max_bytes = 4U << 20U;
  std::uint32_t max_nesting = 128;
  std::uint32_t max_schemas = 100'000;
  // Limits of every later check, see above.
  std::uint32_t max_depth = 1000;
  std::uint64_t max_steps = 5'000'000;
};

class Validator {
 public:
  // Compiles a schema. Fails with GANTRY_INVALID_ARGUMENT, the schema author's fault; the message
  // names the place in the schema (JSON pointer) and the reason.
  static Result<Validator> compile(std::string_view schema_json,
                                   const CompileOptions& options = {});
  static Result<Validator> compile(const rapidjson::Value& schema,
                                   const CompileOptions& options = {});

  // Whether `instance` satisfies the schema. Does not allocate, unless the schema has a `pattern`,
  // or checks uniqueness or evaluation of more than some dozens of elements.
  bool validate(const rapidjson::Value& instance) const;

  // The reasons why it does not: at most `max` findings in order of discovery; empty if it does.
  // Slower than validate(), so call it only after validate() returned false.
  std::vector<Error> errors(const rapidjson::Value& instance, std::size_t max = 8) const;

 private:
  explicit Validator(std::shared_ptr<const detail::Program> program);
  std::shared_ptr<const detail::Program> program_;
};

}  // namespace gantry::schema

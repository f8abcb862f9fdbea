// gantry/schema/validator.hpp: JSON Schema 2020-12; a schema is compiled once and used many times.
//
//   auto validator = gantry::schema::Validator::compile(schema_text);
//   if (!validator) return validator.status();          // the schema is wrong
//   if (!validator->validate(arguments)) {               // the value is wrong
//     return gantry::Status::invalid(gantry::schema::explain(validator->errors(arguments)));
//   }
//
// A Validator is the compiled form of one schema document. It does not refer to the document, is
// immutable, and is cheap to copy (copies share the program). Compile a schema once and keep the
// Validator: compiling takes some ten times longer than a check.
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

// Limits for schemas from sources that are not trusted. The defaults are those of the host.
struct CompileOptions {
  // Bytes of the schema's text. For a parsed schema the caller has to bound it.
  std::size_t max_bytes = 4U << 20U;
  // Nesting of arrays and objects in the schema document.
  std::uint32_t max_nesting = 128;
  // Schemas in the document, and in the metaschemas that it refers to; each property has one.
  std::uint32_t max_schemas = 100'000;
  // The limits of every later check, see above. Less depth saves stack, fewer steps save time: five
  // million steps take some tenths of a second.
  std::uint32_t max_depth = 1000;
  std::uint64_t max_steps = 5'000'000;
};

class Validator {
 public:
  // Compiles a schema from its text or from a parsed value, which may be freed afterwards. Fails
  // with GANTRY_INVALID_ARGUMENT, the schema author's fault; the message names the place in the
  // schema (JSON pointer) and the reason. Refused are keywords with values of a wrong form,
  // patterns that ECMA-262 in Unicode mode does not allow, references that do not resolve, two
  // schemas with one $id or anchor, and a schema that applies itself to the same value without end.
  // Unknown keywords are annotations.
  static Result<Validator> compile(std::string_view schema_json,
                                   const CompileOptions& options = {});
  static Result<Validator> compile(const rapidjson::Value& schema,
                                   const CompileOptions& options = {});

  // Whether `instance` satisfies the schema. Does not allocate, unless the schema has a `pattern`,
  // or checks uniqueness or evaluation of more than some dozens of elements. A value that reaches a
  // limit is invalid; errors() tells the difference.
  bool validate(const rapidjson::Value& instance) const;

  // The reasons why it does not: at most `max` findings in order of discovery; empty if it does.
  // Slower than validate(), so call it only after validate() returned false. `instance` is only
  // read.
  std::vector<Error> errors(const rapidjson::Value& instance, std::size_t max = 8) const;

 private:
  explicit Validator(std::shared_ptr<const detail::Program> program);
  std::shared_ptr<const detail::Program> program_;
};

}  // namespace gantry::schema

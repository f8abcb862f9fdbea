// gantry/schema/error.hpp: the reason why a value does not satisfy a schema, for people and models.
//
// The texts are made for the caller that sent the value: they say what was expected at which place,
// so that a model can repair its arguments in one step. They never quote long values, nor values
// that the schema marks as secret. The wording may become clearer in later versions: compare
// `keyword` and `pointer` in programs, not `message`. Values that own their text; no thread rules
// beyond those of std::string.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::schema {

// One finding.
struct Error {
  // The place in the checked value: a JSON pointer (RFC 6901; "" is the value itself), and the same
  // in dotted form ("where.age", "keys[2]"), where names that are no plain words are quoted in
  // brackets. If a property name is itself wrong (propertyNames), it is the place of that
  // property.
  std::string pointer;
  std::string path;
  // The violated rule: the keyword ("maximum", "required", "additionalProperties") and the place of
  // the schema that has it ("#/properties/limit"). Two are not keywords: "false schema" for a value
  // where none is allowed, and "limit" for a check that ended at a limit of the validator.
  std::string keyword;
  std::string schema;
  // The rule's requirement and the actual value ("integer <= 1000", "5000"). `found` gives kinds
  // and lengths; it quotes strings of up to 40 bytes only, and none if the schema, or one around
  // it, says `writeOnly` or `format: password`.
  std::string expected;
  std::string found;
  // The nearest allowed name or value if one looks misspelt (nearest.hpp), else empty; and for an
  // unknown name at most twelve allowed ones. For anyOf and oneOf the alternative that fits best is
  // described.
  std::string suggestion;
  std::vector<std::string> allowed;
  // The complete finding as a clause without the path: "expected integer <= 1000, got 5000".
  std::string message;
};

// One sentence for all of `errors`, each clause with its path; `root` is the name of the value
// itself:
//   arguments: unknown property 'wher'; did you mean 'where'? Allowed: class_name, where
//   limit: expected integer <= 1000, got 5000
// Empty if there are no errors.
std::string explain(std::span<const Error> errors, std::string_view root = "arguments");

}  // namespace gantry::schema

// gantry/schema/error.hpp: the reason why a value does not satisfy a schema, for people and models.
//
// Values; no thread rules beyond those of std::string.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::schema {

struct Error {
  // The place in the checked value: a JSON pointer ("" is the value itself), and the same in dotted
  // form ("where.age", "keys[2]").
  std::string pointer;
  std::string path;
  // The violated rule: the keyword ("maximum") and its place in the schema ("#/properties/limit").
  std::string keyword;
  std::string schema;
  // The rule's requirement and the actual value ("integer <= 1000", "5000"). `found` gives kinds
  // and lengths; it quotes short strings only, and none if the schema says `writeOnly` or `format:
  // password`.
  std::string expected;
  std::string found;
  // The nearest allowed name or value if one looks misspelt, else empty; and for an unknown name at
  // most twelve allowed ones.
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

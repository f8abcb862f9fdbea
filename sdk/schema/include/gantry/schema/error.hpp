// gantry/schema/error.hpp: why a value does not satisfy a schema, in words for people and models.
//
// Values; no thread rules beyond those of std::string.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::schema {

struct Error {
  // Where in the checked value: a JSON pointer ("" is the value itself) and the same as people
  // write it ("where.age", "keys[2]").
  std::string pointer;
  std::string path;
  // Which rule: the keyword ("maximum") and where the schema states it ("#/properties/limit").
  std::string keyword;
  std::string schema;
  // What the rule wants and what the value has there ("integer <= 1000", "5000"). `found` shows
  // kinds and lengths; of strings it quotes only short ones, and none where the schema says
  // `writeOnly` or `format: password`.
  std::string expected;
  std::string found;
  // The nearest allowed name or value when one looks misspelt, else empty; and the allowed ones,
  // at most twelve, for an unknown name.
  std::string suggestion;
  std::vector<std::string> allowed;
  // The whole finding as a clause without the path: "expected integer <= 1000, got 5000".
  std::string message;
};

// One sentence for all of `errors`, each clause led by its path; `root` names the value itself:
//   arguments: unknown property 'wher'; did you mean 'where'? Allowed: class_name, where
//   limit: expected integer <= 1000, got 5000
// Empty when there are no errors.
std::string explain(std::span<const Error> errors, std::string_view root = "arguments");

}  // namespace gantry::schema

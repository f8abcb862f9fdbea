// pipeline/spec.hpp: helpers for parsing the operand of a stage. Errors are thrown as QueryError.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "errors/query_error.hpp"
#include "values/value.hpp"

namespace gantry::data::pipeline {

// Throws "$limit: wants a positive number": `text` states the error and its remedy.
[[noreturn]] void refuse(std::string_view stage, const std::string& text);

// The type of a value, for messages: "a string", "an int".
std::string kind_of(const Value& value);

// A field of a projection that is kept or left out: {a: 1}, {a: false}.
bool is_flag(const Value& value);
// An object whose first name begins with '$'.
bool is_operator(const Value& value);

// The options of a stage with an object as operand. Refuses other operands, and unknown options
// with the nearest known one. Refers to the spec.
class Options {
 public:
  Options(std::string_view stage, const Value& spec, std::initializer_list<std::string_view> known);
  // Missing if the option is absent.
  const Value& operator[](std::string_view name) const { return spec_.find(name); }
  bool has(std::string_view name) const { return !spec_.find(name).is_missing(); }
  // Refuses its absence.
  const Value& require(std::string_view name) const;
  // Refuses values other than strings.
  std::string_view text(std::string_view name) const;
  // False if absent; refuses values other than booleans.
  bool flag(std::string_view name) const;

 private:
  std::string_view stage_;
  const Value& spec_;
};

// Refuses names that are not valid for a new root field: with a dot, a leading '$' or a NUL.
void check_field_name(std::string_view stage, std::string_view name);

// A whole number within 64 bits; doubles without a fraction are accepted. Refuses others.
std::int64_t whole_number(std::string_view stage, std::string_view what, const Value& value);

// The names on a path: "a.b" is [a, b].
using Path = std::vector<std::string>;

// Refuses empty parts, parts with a leading '$' (except $ref, $id and $db), NULs and more than 200
// parts. `what` is the purpose of the path, for messages: "'localField'".
Path parse_path(std::string_view stage, std::string_view what, std::string_view text);
// The same for "$a.b".
Path parse_field_reference(std::string_view stage, std::string_view what, std::string_view text);
std::string dotted(const Path& path);

}  // namespace gantry::data::pipeline

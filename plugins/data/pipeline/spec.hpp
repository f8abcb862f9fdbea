// pipeline/spec.hpp: reading what stands behind a stage's name. Errors are thrown as QueryError.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "values/query_error.hpp"
#include "values/value.hpp"

namespace gantry::data::pipeline {

// "$limit: wants a positive number": `text` says what is wrong and what to write instead.
[[noreturn]] void refuse(std::string_view stage, const std::string& text);

// "a string", "an int": for messages.
std::string kind_of(const Value& value);

// The options of a stage that wants an object. Refuses anything else, and unknown options with the
// nearest known one. Holds a reference to the spec.
class Options {
 public:
  Options(std::string_view stage, const Value& spec, std::initializer_list<std::string_view> known);
  // Missing when it is not there.
  const Value& operator[](std::string_view name) const { return spec_.find(name); }
  bool has(std::string_view name) const { return !spec_.find(name).is_missing(); }
  // Refuses its absence.
  const Value& require(std::string_view name) const;
  // Refuses what is no string.
  std::string_view text(std::string_view name) const;
  // An absent one is false; refuses what is no boolean.
  bool flag(std::string_view name) const;

 private:
  std::string_view stage_;
  const Value& spec_;
};

// Refuses names that cannot be a new top-level field: with a dot, a '$' in front or a NUL.
void check_field_name(std::string_view stage, std::string_view name);

// A whole number that fits 64 bits, doubles with a whole value too. Refuses others.
std::int64_t whole_number(std::string_view stage, std::string_view what, const Value& value);

// The names of fields on the way: "a.b" is [a, b].
using Path = std::vector<std::string>;

// Refuses empty parts, parts with '$' in front ($ref, $id and $db excepted), NULs and more than 200
// parts. `what` is what the path is for: "'localField'".
Path parse_path(std::string_view stage, std::string_view what, std::string_view text);
// As above, of "$a.b".
Path parse_field_reference(std::string_view stage, std::string_view what, std::string_view text);
std::string dotted(const Path& path);

}  // namespace gantry::data::pipeline

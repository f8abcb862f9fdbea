#include "pipeline/spec.hpp"

#include "values/utf8.hpp"

#include <algorithm>
#include <cmath>
#include <gantry/schema/nearest.hpp>

namespace gantry::data::pipeline {
namespace {

constexpr std::size_t kMostParts = 200;

std::string shown(std::string_view name) { return "'" + clipped(name) + "'"; }

void check_part(std::string_view stage, const std::string& where, std::string_view part) {
  if (part.empty()) {
    refuse(stage, where + " has an empty part; write names with single dots between them");
  }
  const bool is_reference = part == "$ref" || part == "$id" || part == "$db";
  if (part[0] == '$' && !is_reference) {
    refuse(stage, where + " has a part that begins with '$'; name plain fields");
  }
}

}  // namespace

void refuse(std::string_view stage, const std::string& text) {
  throw QueryError(std::string(stage) + ": " + text + ".");
}

std::string kind_of(const Value& value) {
  if (value.is_nullish()) return std::string(value.type_name());
  const std::string_view name = value.type_name();
  const bool is_vowel = std::string_view("aeiou").find(name[0]) != std::string_view::npos;
  return (is_vowel ? "an " : "a ") + std::string(name);
}

bool is_flag(const Value& value) { return value.is_number() || value.is_boolean(); }

bool is_operator(const Value& value) {
  return value.is_object() && !value.members().empty() &&
         value.members().front().name.starts_with("$");
}

Options::Options(std::string_view stage, const Value& spec,
                 std::initializer_list<std::string_view> known)
    : stage_(stage), spec_(spec) {
  if (!spec.is_object()) {
    refuse(stage, "wants an object with " + joined(known) + ", not " + kind_of(spec));
  }
  for (const Member& member : spec.members()) {
    if (std::find(known.begin(), known.end(), member.name) != known.end()) continue;
    const std::vector<std::string_view> names(known);
    const auto near = schema::nearest(member.name, std::span<const std::string_view>(names));
    refuse(stage, "has no option " + shown(member.name) +
                      (near ? "; did you mean '" + std::string(*near) + "'?" : "") +
                      " Its options: " + joined(known));
  }
}

const Value& Options::require(std::string_view name) const {
  if (!has(name)) refuse(stage_, "wants the option '" + std::string(name) + "'");
  return spec_.find(name);
}

std::string_view Options::text(std::string_view name) const {
  const Value& value = require(name);
  if (!value.is_string()) {
    refuse(stage_, "'" + std::string(name) + "' must be a string, not " + kind_of(value));
  }
  return value.text();
}

bool Options::flag(std::string_view name) const {
  if (!has(name)) return false;
  const Value& value = spec_.find(name);
  if (!value.is_boolean()) {
    refuse(stage_, "'" + std::string(name) + "' must be true or false, not " + kind_of(value));
  }
  return value.truth();
}

void check_field_name(std::string_view stage, std::string_view name) {
  if (!name.empty() && name[0] == '$') {
    refuse(stage, shown(name) + " begins with '$'; a new field's name may not");
  }
  if (name.find('.') != std::string_view::npos) {
    refuse(stage, shown(name) + " has a dot in it; a new field's name may not");
  }
  if (name.find('\0') != std::string_view::npos) {
    refuse(stage, "a field's name may not have a NUL in it");
  }
}

std::int64_t whole_number(std::string_view stage, std::string_view what, const Value& value) {
  if (value.is_integral()) return value.integer();
  const std::string wanted = std::string(what) + " must be a whole number";
  if (!value.is_number()) refuse(stage, wanted + ", not " + kind_of(value));
  const double real = value.real();
  if (std::trunc(real) != real || std::fabs(real) >= 0x1p63) {
    refuse(stage, wanted + " of at most 64 bits");
  }
  return static_cast<std::int64_t>(real);
}

Path parse_path(std::string_view stage, std::string_view what, std::string_view text) {
  const std::string where(what);
  if (text.find('\0') != std::string_view::npos) {
    refuse(stage, where + " may not have a NUL in it");
  }
  Path path;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    check_part(stage, where, text.substr(begin, end - begin));
    path.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  if (path.size() > kMostParts) refuse(stage, where + " has more than 200 parts");
  return path;
}

Path parse_field_reference(std::string_view stage, std::string_view what, std::string_view text) {
  if (text.empty() || text[0] != '$') {
    refuse(stage, std::string(what) + " must begin with '$', as in \"$field\"");
  }
  return parse_path(stage, what, text.substr(1));
}

std::string dotted(const Path& path) {
  std::string text;
  for (const std::string& part : path) text += (text.empty() ? "" : ".") + part;
  return text;
}

}  // namespace gantry::data::pipeline

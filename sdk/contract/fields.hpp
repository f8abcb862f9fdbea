// sdk/contract/fields.hpp: takes typed members out of JSON with errors that name them.
//
// Internal to the contract kit: manifest and items are read with it. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

#include "sdk/contract/raw_json.hpp"

namespace gantry::contract {

inline Status wrong_field(const std::string& place, const std::string& wanted,
                          const RawJson& found) {
  constexpr std::size_t kShown = 60;
  const std::string_view text = found.text();
  const std::string shown = text.size() <= kShown ? std::string(text) : found.kind_name();
  return Status::invalid(place + " must be " + wanted + "; it is " + shown);
}

inline Status take_string(const std::string& place, const RawJson& value, std::string& out) {
  if (!value.is(RawJson::Kind::string)) return wrong_field(place, "a string", value);
  out = value.string();
  return Status::ok();
}

// The value's text, verbatim, when it is of the wanted kind.
inline Status take_text(const std::string& place, const RawJson& value, RawJson::Kind kind,
                        std::string& out) {
  if (!value.is(kind)) {
    return wrong_field(place, kind == RawJson::Kind::array ? "an array" : "an object", value);
  }
  out = value.text();
  return Status::ok();
}

inline Status take_bool(const std::string& place, const RawJson& value, bool& out) {
  if (!value.is(RawJson::Kind::boolean)) return wrong_field(place, "true or false", value);
  out = value.boolean();
  return Status::ok();
}

inline Status take_int(const std::string& place, const RawJson& value, std::int64_t low,
                       std::int64_t high, std::int64_t& out) {
  const auto number = value.integer();
  if (!number || *number < low || *number > high) {
    return wrong_field(
        place, "a whole number from " + std::to_string(low) + " to " + std::to_string(high), value);
  }
  out = *number;
  return Status::ok();
}

inline Status take_strings(const std::string& place, const RawJson& value,
                           std::vector<std::string>& out) {
  if (!value.is(RawJson::Kind::array)) return wrong_field(place, "an array of strings", value);
  for (const RawJson& element : value.elements()) {
    if (!element.is(RawJson::Kind::string)) {
      return wrong_field(place, "an array of strings", element);
    }
    out.push_back(element.string());
  }
  return Status::ok();
}

}  // namespace gantry::contract

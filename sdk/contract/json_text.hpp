// sdk/contract/json_text.hpp: writes JSON text without a document.
//
// Pure functions; any thread. They throw only std::bad_alloc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gantry::contract {

// Appends `text` as a JSON string with its quotes. Each byte of invalid UTF-8 becomes U+FFFD, so
// that a plugin's bytes cannot make a message invalid.
void append_json_string(std::string& out, std::string_view text);

// Appends a code point as \uXXXX, or as two of these beyond U+FFFF.
void append_escape(std::string& out, std::uint32_t point);

// Appends `"name":`, or `,"name":` unless `json` is empty or ends with the "{" of its object.
void append_name(std::string& json, std::string_view name);
// Appends a member of an open object: a string, or the JSON text of a value.
void append_text_member(std::string& json, std::string_view name, std::string_view text);
void append_json_member(std::string& json, std::string_view name, std::string_view value);

// Puts JSON text on one line, for framings in which a line break ends a message. A raw line break
// can only stand between tokens, where a blank has the same meaning.
inline void put_on_one_line(std::string& json) {
  for (char& c : json) c = c == '\n' || c == '\r' ? ' ' : c;
}

// Appends JSON text without the white space between its tokens, which saves tokens of a model. All
// other bytes, those of strings too, are copied unchanged.
void append_compact(std::string& out, std::string_view json);

// `text` as a JSON string with its quotes.
inline std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

}  // namespace gantry::contract

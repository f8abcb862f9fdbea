// values/json_text.hpp: writes JSON text, and checks whether stored text is JSON.
//
// Writers append to a caller's buffer and cannot fail. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace gantry::data {

// The type of a JSON text's outermost value; `none` when the text is not JSON (RFC 8259, UTF-8). A
// text with a number beyond the range of a double, or nested deeper than `most_levels`, is `none`.
enum class JsonShape { none, object, array, scalar };
JsonShape json_shape(std::string_view text,
                     std::size_t most_levels = std::numeric_limits<std::size_t>::max());

// Whether stored text or bytes may be an object or array: the first byte after white space and
// controls is a bracket.
bool begins_as_json(std::string_view text);

// The maximum nesting of stored JSON that is embedded in answers: parsers of answers are recursive.
constexpr std::size_t kMostStoredLevels = 150;

// Appends "text" with quotes. False, and nothing appended, when it is not UTF-8.
bool append_json_string(std::string_view text, std::string& out);

// The same as a new text; "?" when it is not UTF-8.
std::string quoted_json(std::string_view text);

// The length of the prefix whose bytes are ASCII and literal in a JSON string.
std::size_t plain_json_bytes(std::string_view text);

void append_json_integer(std::int64_t value, std::string& out);

// The shortest text that reads back as the same double and is recognisable as one: 1.0, 1e+22.
// Infinities and NaN are the strings "Infinity", "-Infinity" and "NaN".
void append_json_double(double value, std::string& out);

// Writes a number to a buffer of at least kMostOfANumber bytes; returns the end.
constexpr std::size_t kMostOfANumber = 40;
char* write_json_integer(std::int64_t value, char* to);
char* write_json_double(double value, char* to);

// Appends text that is valid JSON. Line breaks, which can only be layout there, become spaces so
// that a message stays one line.
void append_json_verbatim(std::string_view json, std::string& out);

void append_base64(std::string_view bytes, std::string& out);

}  // namespace gantry::data

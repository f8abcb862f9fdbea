// values/json_text.hpp: writing JSON text, and telling whether stored text is JSON.
//
// Writers append to a caller's buffer and cannot fail. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace gantry::data {

// What the outermost value of a JSON text is; `none` when the text is not JSON (RFC 8259, UTF-8).
// A number beyond the range of a double is not taken for JSON either, nor is a text that nests
// deeper than `most_levels`.
enum class JsonShape { none, object, array, scalar };
JsonShape json_shape(std::string_view text,
                     std::size_t most_levels = std::numeric_limits<std::size_t>::max());

// The levels of stored JSON that an answer holds as JSON: programs that read answers recurse.
constexpr std::size_t kMostStoredLevels = 150;

// Appends "text" with quotes. False, and nothing appended, when it is not UTF-8.
bool append_json_string(std::string_view text, std::string& out);

// How many bytes at its beginning stand for themselves in a JSON string and are ASCII.
std::size_t plain_json_bytes(std::string_view text);

void append_json_integer(std::int64_t value, std::string& out);

// The shortest text that reads back as the same double, always recognisable as one: 1.0, 1e+22.
// What JSON has no number for is the string "Infinity", "-Infinity" or "NaN".
void append_json_double(double value, std::string& out);

// The same two to a place with room for so many bytes; where they end.
constexpr std::size_t kMostOfANumber = 40;
char* write_json_integer(std::int64_t value, char* to);
char* write_json_double(double value, char* to);

// Text that is already valid JSON; its line breaks, which can only be layout, become spaces so that
// a message stays one line.
void append_json_verbatim(std::string_view json, std::string& out);

void append_base64(std::string_view bytes, std::string& out);

}  // namespace gantry::data

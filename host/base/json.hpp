// host/base/json.hpp: writing JSON text by hand, where a document would only be in the way.
#pragma once

#include <string>
#include <string_view>

namespace gantry::host {

// Appends `text` as a JSON string with its quotes. What is no UTF-8 becomes U+FFFD, so that no
// plugin's bytes can break a message.
void append_json_string(std::string& out, std::string_view text);

// Appends standard Base64 with padding, without quotes.
void append_base64(std::string& out, std::string_view bytes);

// JSON text on one line, for framings whose messages end with the line: a raw line break can only
// stand between tokens, where a blank means the same.
inline void put_on_one_line(std::string& json) {
  for (char& c : json) c = c == '\n' || c == '\r' ? ' ' : c;
}

// Appends JSON text without the blanks between its tokens: the same text to a parser, fewer tokens
// to a model. Everything else, strings above all, stays as it was written.
void append_compact(std::string& out, std::string_view json);

inline std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

}  // namespace gantry::host

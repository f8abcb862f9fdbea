#include "sdk/contract/json_text.hpp"

#include <cstddef>

#include "sdk/contract/plain_length.hpp"
#include "sdk/contract/text.hpp"

namespace gantry::contract {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// The length of the well-formed UTF-8 sequence at `p`, 0 when there is none (Unicode table 3-7).
std::size_t sequence_at(const unsigned char* p, std::size_t left) {
  const auto tail = [&](std::size_t i, unsigned char low = 0x80, unsigned char high = 0xBF) {
    return i < left && p[i] >= low && p[i] <= high;
  };
  if (p[0] >= 0xC2 && p[0] <= 0xDF) return tail(1) ? 2 : 0;
  if (p[0] >= 0xE0 && p[0] <= 0xEF) {
    const unsigned char low = p[0] == 0xE0 ? 0xA0 : 0x80;
    const unsigned char high = p[0] == 0xED ? 0x9F : 0xBF;
    return tail(1, low, high) && tail(2) ? 3 : 0;
  }
  if (p[0] >= 0xF0 && p[0] <= 0xF4) {
    const unsigned char low = p[0] == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = p[0] == 0xF4 ? 0x8F : 0xBF;
    return tail(1, low, high) && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

void append_escaped(std::string& out, unsigned char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      append_escape(out, c);
  }
}

}  // namespace

void append_escape(std::string& out, std::uint32_t point) {
  if (point > 0xFFFF) {
    append_escape(out, 0xD800 + ((point - 0x10000) >> 10));
    return append_escape(out, 0xDC00 + ((point - 0x10000) & 0x3FF));
  }
  const char bytes[] = {static_cast<char>(point >> 8), static_cast<char>(point & 255)};
  out.append("\\u").append(to_hex({bytes, sizeof bytes}));
}

void append_json_string(std::string& out, std::string_view text) {
  out.reserve(out.size() + text.size() + 2);
  out += '"';
  const auto* p = reinterpret_cast<const unsigned char*>(text.data());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t run = plain_length(text.substr(i));
    out.append(text, i, run);
    if ((i += run) == text.size()) break;
    if (p[i] < 0x80) {
      append_escaped(out, p[i++]);
    } else if (const std::size_t n = sequence_at(p + i, text.size() - i); n > 0) {
      out.append(text, i, n);
      i += n;
    } else {
      out += kReplacement;
      ++i;
    }
  }
  out += '"';
}

void append_name(std::string& json, std::string_view name) {
  if (!json.empty() && json.back() != '{') json += ',';
  append_json_string(json, name);
  json += ':';
}

void append_text_member(std::string& json, std::string_view name, std::string_view text) {
  append_name(json, name);
  append_json_string(json, text);
}

void append_json_member(std::string& json, std::string_view name, std::string_view value) {
  append_name(json, name);
  json += value;
}

void append_compact(std::string& out, std::string_view json) {
  out.reserve(out.size() + json.size());
  bool in_string = false, escaped = false;
  for (const char c : json) {
    const bool blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (in_string || !blank) out += c;
    if (c == '"' && !escaped) in_string = !in_string;
    escaped = in_string && c == '\\' && !escaped;
  }
}

}  // namespace gantry::contract

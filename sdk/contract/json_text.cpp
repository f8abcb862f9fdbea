#include "sdk/contract/json_text.hpp"

#include <cstddef>
#include <cstdint>

#include "sdk/contract/plain_length.hpp"

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
  constexpr std::string_view kHex = "0123456789abcdef";
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
      out += "\\u00";
      out += kHex[c >> 4];
      out += kHex[c & 15];
  }
}

}  // namespace

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

void append_base64(std::string& out, std::string_view bytes) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  out.reserve(out.size() + (bytes.size() + 2) / 3 * 4);
  const auto at = [&](std::size_t i) {
    return i < bytes.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) : 0u;
  };
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t three = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
    out += kAlphabet[three >> 18];
    out += kAlphabet[three >> 12 & 63];
    out += i + 1 < bytes.size() ? kAlphabet[three >> 6 & 63] : '=';
    out += i + 2 < bytes.size() ? kAlphabet[three & 63] : '=';
  }
}

}  // namespace gantry::contract

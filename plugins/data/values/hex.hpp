// values/hex.hpp: bytes as hexadecimal digits. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "values/ascii.hpp"

namespace gantry::data {

// In lower case.
inline void append_hex(std::string_view bytes, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const char c : bytes) {
    out += kDigits[static_cast<unsigned char>(c) >> 4];
    out += kDigits[c & 15];
  }
}

// The bytes of an id like "0x00ff", in either case; nothing: it is no such text.
inline std::optional<std::string> bytes_of_hex(std::string_view text) {
  if (!text.starts_with("0x") || text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 2; i < text.size(); i += 2) {
    const int high = hex_digit(text[i]), low = hex_digit(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

}  // namespace gantry::data

// values/hex.hpp: bytes as lower-case hexadecimal digits. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace gantry::data {

inline void append_hex(std::string_view bytes, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const char c : bytes) {
    out += kDigits[static_cast<unsigned char>(c) >> 4];
    out += kDigits[c & 15];
  }
}

}  // namespace gantry::data

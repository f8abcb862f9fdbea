// values/ascii.hpp: kinds and cases of ASCII characters, whatever the locale. Pure; any thread.
#pragma once

namespace gantry::data {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr char lower_char(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr bool is_alphanumeric(char c) { return is_letter(c) || is_digit(c); }

// 0 to 15; -1: it is no hexadecimal digit.
constexpr int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace gantry::data

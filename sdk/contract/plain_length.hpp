// sdk/contract/plain_length.hpp: finds the first byte that a JSON string must escape.
//
// Pure; any thread.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace gantry::contract {

// Whether a JSON string holds the byte unescaped: ASCII except control characters, quotes and
// backslashes.
inline bool is_plain(char byte) {
  const auto c = static_cast<unsigned char>(byte);
  return c >= ' ' && c < 0x80 && c != '"' && c != '\\';
}

// How many of the eight bytes at `from` are plain before the first that is not. Examines them at
// once, because it runs for every string that is read or written.
inline std::size_t plain_of_eight(const char* from) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHigh = 0x8080808080808080;
  if constexpr (std::endian::native != std::endian::little) {
    return static_cast<std::size_t>(std::find_if_not(from, from + 8, is_plain) - from);
  }
  std::uint64_t eight;
  std::memcpy(&eight, from, sizeof eight);
  const std::uint64_t quotes = eight ^ kOnes * '"', escapes = eight ^ kOnes * '\\';
  // A borrow sets the high bit of its byte and may set those of later bytes. Only the first set bit
  // is used, and that one is exact.
  const std::uint64_t special =
      (eight | (eight - kOnes * ' ') | (quotes - kOnes) | (escapes - kOnes)) & kHigh;
  return static_cast<std::size_t>(std::countr_zero(special)) / 8;
}

// The number of plain bytes at the front of `text`. Reads no byte behind it.
inline std::size_t plain_length(std::string_view text) {
  std::size_t at = 0;
  while (text.size() - at >= 8) {
    const std::size_t plain = plain_of_eight(text.data() + at);
    at += plain;
    if (plain < 8) return at;
  }
  while (at < text.size() && is_plain(text[at])) ++at;
  return at;
}

}  // namespace gantry::contract

// sdk/contract/plain_length.hpp: finds the first byte that a JSON string must escape.
//
// Pure; any thread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace gantry::contract {

// The number of bytes at the front of `text` that a JSON string holds unescaped: ASCII except
// control characters, quotes and backslashes. Reads no byte behind `text`. Examines eight bytes at
// a time, because it runs for every string that is read or written.
inline std::size_t plain_length(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHigh = 0x8080808080808080;
  const char* const begin = text.data();
  std::size_t at = 0;
  for (; text.size() - at >= sizeof(std::uint64_t); at += sizeof(std::uint64_t)) {
    std::uint64_t eight;
    std::memcpy(&eight, begin + at, sizeof eight);
    const std::uint64_t quotes = eight ^ kOnes * '"', escapes = eight ^ kOnes * '\\';
    // A borrow sets the high bit of its byte and may set those of later bytes. Only the first set
    // bit is used, and that one is exact.
    const std::uint64_t special =
        (eight | (eight - kOnes * ' ') | (quotes - kOnes) | (escapes - kOnes)) & kHigh;
    if (special == 0) continue;
    if constexpr (std::endian::native == std::endian::little) {
      return at + static_cast<std::size_t>(std::countr_zero(special)) / 8;
    }
    break;
  }
  for (; at < text.size(); ++at) {
    const auto c = static_cast<unsigned char>(begin[at]);
    if (c < ' ' || c >= 0x80 || c == '"' || c == '\\') break;
  }
  return at;
}

}  // namespace gantry::contract

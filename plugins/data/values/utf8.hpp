// values/utf8.hpp: validates UTF-8 and cuts it between characters; texts as a list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "values/spending.hpp"

namespace gantry::data {

// The length of the multi-byte character at `at`, or 0 if it is invalid: overlong forms, surrogates
// and code points beyond U+10FFFF are refused. The caller handles ASCII.
inline std::size_t utf8_length(const char* at, const char* end) {
  const auto byte = [at](std::size_t i) { return static_cast<unsigned char>(at[i]); };
  const auto left = static_cast<std::size_t>(end - at);
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned char c = byte(0);
  if (c >= 0xC2 && c <= 0xDF) return left >= 2 && tail(1) ? 2 : 0;
  if (c >= 0xE0 && c <= 0xEF) {
    if (left < 3 || !tail(1) || !tail(2)) return 0;
    return (c == 0xE0 && byte(1) < 0xA0) || (c == 0xED && byte(1) > 0x9F) ? 0 : 3;
  }
  if (c >= 0xF0 && c <= 0xF4) {
    if (left < 4 || !tail(1) || !tail(2) || !tail(3)) return 0;
    return (c == 0xF0 && byte(1) < 0x90) || (c == 0xF4 && byte(1) > 0x8F) ? 0 : 4;
  }
  return 0;
}

// Of a short text: it looks at each byte.
inline bool is_ascii(std::string_view text) {
  unsigned all = 0;
  for (const char c : text) all |= static_cast<unsigned char>(c);
  return all < 0x80;
}

// Long texts count steps of the thread's query.
inline bool is_utf8(std::string_view text) {
  constexpr std::ptrdiff_t kBetweenSteps = std::ptrdiff_t{64} << 10;
  const char* at = text.data();
  const char* const end = at + text.size();
  const char* stepped = at;
  while (at != end) {
    if (at - stepped >= kBetweenSteps) {
      Spending::step_current();
      stepped = at;
    }
    if (end - at >= 8) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, at, 8);
      if ((eight & UINT64_C(0x8080808080808080)) == 0) {
        at += 8;
        continue;
      }
    } else if (is_ascii({at, static_cast<std::size_t>(end - at)})) {
      return true;
    }
    const std::size_t length = static_cast<unsigned char>(*at) < 0x80 ? 1 : utf8_length(at, end);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

// A caller's name for use in a message: if it has more than `most` bytes, it is cut after a whole
// character and "…" is appended.
inline std::string clipped(std::string_view name, std::size_t most = 128) {
  if (name.size() <= most) return std::string(name);
  const auto continues = [&] { return (static_cast<unsigned char>(name[most]) & 0xC0) == 0x80; };
  for (int i = 0; i < 4 && most > 0 && continues(); ++i) --most;
  return std::string(name.substr(0, most)) + "…";
}

// The beginning of a text for a sentence: one line, at most 40 characters, in double quotes.
inline std::string excerpt(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string out = "\"";
  std::size_t characters = 0;
  for (const char c : text) {
    const bool begins = (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    if (begins && ++characters > kMost) return out + "…\"";
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}

// "a, b", of a container of texts.
template <class Texts>
std::string joined(const Texts& texts) {
  std::string all;
  for (const std::string_view text : texts) all.append(all.empty() ? "" : ", ").append(text);
  return all;
}

}  // namespace gantry::data

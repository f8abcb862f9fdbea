#include "host/auth/base64url.hpp"

#include <cstdint>

namespace gantry::host {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

int value_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '-') return 62;
  return c == '_' ? 63 : -1;
}

}  // namespace

std::string to_base64url(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() * 4 + 2) / 3);
  std::uint32_t bits = 0;
  int have = 0;
  for (const char byte : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(byte);
    for (have += 8; have >= 6;) out += kAlphabet[bits >> (have -= 6) & 63];
  }
  if (have > 0) out += kAlphabet[bits << (6 - have) & 63];
  return out;
}

std::optional<std::string> from_base64url(std::string_view text) {
  if (text.size() % 4 == 1) return std::nullopt;
  std::string out;
  out.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int have = 0;
  for (const char c : text) {
    const int value = value_of(c);
    if (value < 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    if ((have += 6) >= 8) out += static_cast<char>(bits >> (have -= 8) & 255);
  }
  // The unused bits must be zero; otherwise two texts would decode to the same bytes.
  if ((bits & ((1u << have) - 1)) != 0) return std::nullopt;
  return out;
}

}  // namespace gantry::host

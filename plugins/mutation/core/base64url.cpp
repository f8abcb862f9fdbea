#include "core/base64url.hpp"

#include <cstdint>

namespace mutation {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

std::string base64url(std::string_view bytes) {
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char byte : bytes) {
    bits = (bits << 8U) | static_cast<unsigned char>(byte);
    for (count += 8; count >= 6;) {
      count -= 6;
      out += kDigits[(bits >> static_cast<unsigned>(count)) & 63U];
    }
  }
  if (count > 0) out += kDigits[(bits << static_cast<unsigned>(6 - count)) & 63U];
  return out;
}

std::optional<std::string> from_base64url(std::string_view text) {
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char digit : text) {
    const auto value = kDigits.find(digit);
    if (value == kDigits.npos) return std::nullopt;
    bits = (bits << 6U) | static_cast<std::uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>((bits >> static_cast<unsigned>(count)) & 255U);
  }
  // Several texts for the same bytes would let a used token be spelt anew.
  if (base64url(out) != text) return std::nullopt;
  return out;
}

}  // namespace mutation

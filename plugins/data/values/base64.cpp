#include "values/base64.hpp"

#include <cstdint>

#include "values/ascii.hpp"
#include "values/spending.hpp"

namespace gantry::data {
namespace {

constexpr std::size_t kBase64BetweenSteps = std::size_t{64} << 10;

int common_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  return is_digit(c) ? c - '0' + 52 : -1;
}

int digit(char c) {
  if (c == '+') return 62;
  return c == '/' ? 63 : common_digit(c);
}

int url_digit(char c) {
  if (c == '-') return 62;
  return c == '_' ? 63 : common_digit(c);
}

template <int (*kDigit)(char)>
std::optional<std::string> decode(std::string_view text) {
  for (int pads = 0; pads < 2 && !text.empty() && text.back() == '='; ++pads) {
    text.remove_suffix(1);
  }
  if (text.size() % 4 == 1) return std::nullopt;
  const std::size_t size = text.size() / 4 * 3 + text.size() % 4 * 3 / 4;
  const Charge made(size);
  std::string bytes;
  bytes.reserve(size);
  std::uint32_t held = 0;
  int bits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i % kBase64BetweenSteps == 0) Spending::step_current();
    const int value = kDigit(text[i]);
    if (value < 0) return std::nullopt;
    held = (held << 6U | static_cast<std::uint32_t>(value)) & 0xFFFFU;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(held >> bits & 0xFFU);
  }
  return bytes;
}

}  // namespace

std::optional<std::string> decode_base64(std::string_view text) { return decode<digit>(text); }
std::optional<std::string> decode_base64url(std::string_view text) {
  return decode<url_digit>(text);
}

}  // namespace gantry::data

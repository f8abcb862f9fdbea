#include "host/base/text.hpp"

#include <algorithm>

namespace gantry::host {
namespace {

char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

}  // namespace

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
  return out;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lowered);
  return out;
}

bool same_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lowered(x) == lowered(y); });
}

std::string shortened(std::string_view text, std::size_t most) {
  constexpr std::string_view kGap = "…";
  if (text.size() <= most) return std::string(text);
  const auto continues = [&](std::size_t i) {
    return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80;
  };
  constexpr std::size_t kLongest =
      4;  // bytes of a character; text that is not UTF-8 is cut as it is
  std::size_t head = most / 3 * 2, tail = text.size() - most / 3;
  for (std::size_t i = 0; i < kLongest && head > 0 && continues(head); ++i) --head;
  for (std::size_t i = 0; i < kLongest && continues(tail); ++i) ++tail;
  return std::string(text.substr(0, head)).append(kGap).append(text.substr(tail));
}

}  // namespace gantry::host

#include "sdk/contract/text.hpp"

#include <algorithm>
#include <cstdint>

namespace gantry::contract {
namespace {

// `last`: the digits for 62 and 63.
int base64_value(char c, std::string_view last) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == last[0]) return 62;
  return c == last[1] ? 63 : -1;
}

// Of Base64 without its padding.
std::optional<std::string> base64_bytes(std::string_view digits, std::string_view last) {
  if (digits.size() % 4 == 1) return std::nullopt;
  std::string out;
  out.reserve(digits.size() * 3 / 4);
  std::uint32_t bits = 0;
  int have = 0;
  for (const char c : digits) {
    const int value = base64_value(c, last);
    if (value < 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    if ((have += 6) >= 8) out += static_cast<char>(bits >> (have -= 8) & 255);
  }
  // What is left over must be zero bits, or two texts would mean the same bytes.
  if ((bits & ((1u << have) - 1)) != 0) return std::nullopt;
  return out;
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string hex_text(std::string_view bytes, std::string_view digits) {
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

}  // namespace

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lowered(c);
  return out;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool is_utf8(std::string_view text) {
  const auto* p = reinterpret_cast<const unsigned char*>(text.data());
  const auto* end = p + text.size();
  while (p < end) {
    if (*p < 0x80) {
      ++p;
      continue;
    }
    const int tail = *p >= 0xF0 && *p <= 0xF4  ? 3
                     : *p >= 0xE0 && *p < 0xF0 ? 2
                     : *p >= 0xC2 && *p < 0xE0 ? 1
                                               : 0;
    if (tail == 0 || end - p <= tail) return false;
    const unsigned char low = *p == 0xE0 ? 0xA0 : *p == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = *p == 0xED ? 0x9F : *p == 0xF4 ? 0x8F : 0xBF;
    if (p[1] < low || p[1] > high) return false;
    for (int i = 2; i <= tail; ++i) {
      if (p[i] < 0x80 || p[i] > 0xBF) return false;
    }
    p += tail + 1;
  }
  return true;
}

std::string to_hex(std::string_view bytes) { return hex_text(bytes, "0123456789abcdef"); }

std::string to_upper_hex(std::string_view bytes) { return hex_text(bytes, "0123456789ABCDEF"); }

std::optional<std::string> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string out;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = hex_value(text[i]), low = hex_value(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
  }
  return out;
}

bool is_lower_hex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
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

void append_base64(std::string& out, std::string_view bytes) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  out.reserve(out.size() + (bytes.size() + 2) / 3 * 4);
  const auto at = [&](std::size_t i) {
    return i < bytes.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) : 0u;
  };
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t three = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
    out += kAlphabet[three >> 18];
    out += kAlphabet[three >> 12 & 63];
    out += i + 1 < bytes.size() ? kAlphabet[three >> 6 & 63] : '=';
    out += i + 2 < bytes.size() ? kAlphabet[three & 63] : '=';
  }
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  return base64_bytes(text.substr(0, text.size() - padding), "+/");
}

std::string to_base64url(std::string_view bytes) {
  std::string out;
  append_base64(out, bytes);
  out.resize(out.find_last_not_of('=') + 1);
  std::replace(out.begin(), out.end(), '+', '-');
  std::replace(out.begin(), out.end(), '/', '_');
  return out;
}

std::optional<std::string> from_base64url(std::string_view text) {
  return base64_bytes(text, "-_");
}

std::string percent_encoded(std::string_view text, std::string_view kept) {
  std::string out;
  for (const char c : text) {
    const bool is_kept = is_letter(c) || is_digit(c) || kept.find(c) != kept.npos;
    if (is_kept) {
      out += c;
    } else {
      out.append("%").append(to_upper_hex({&c, 1}));
    }
  }
  return out;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const auto byte = from_hex(text.substr(i + 1, 2));
    if (!byte || byte->empty()) return std::nullopt;
    out += *byte;
    i += 2;
  }
  return out;
}

}  // namespace gantry::contract

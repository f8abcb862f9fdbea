// Binary data from and to text and numbers.
#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "expr/convert.hpp"
#include "values/base64.hpp"
#include "values/json_text.hpp"
#include "values/utf8.hpp"

namespace gantry::data::expr {
namespace {

[[noreturn]] void fail_text(const Conversion& to, std::string_view why) {
  fail_conversion(to, Value::string({}), why);
}
[[noreturn]] void fail_bytes(const Conversion& to, std::string_view why) {
  fail_conversion(to, Value::bytes({}), why);
}

void require_format(const Conversion& to) {
  if (to.format != Format::none) return;
  throw QueryError(std::string(to.op) +
                   " needs a format between strings and binary data: base64, base64url, hex or "
                   "utf8.");
}

// ---- text

constexpr std::string_view kHexDigits = "0123456789ABCDEF";

std::string to_hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kHexDigits[byte >> 4U];
    text += kHexDigits[byte & 0xFU];
  }
  return text;
}

int hex_digit(char c) {
  if (c >= 'a' && c <= 'f') c = static_cast<char>(c - 'a' + 'A');
  const auto at = kHexDigits.find(c);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

std::optional<std::string> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = hex_digit(text[i]), low = hex_digit(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

std::string to_base64(std::string_view bytes) {
  std::string text;
  append_base64(bytes, text);
  return text;
}

std::string to_base64url(std::string_view bytes) {
  std::string text = to_base64(bytes);
  while (text.ends_with('=')) text.pop_back();
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  return text.size() % 4 == 0 ? decode_base64(text) : std::nullopt;
}

std::optional<std::string> from_base64url(std::string_view text) {
  if (text.find_first_of("+/") != std::string_view::npos) return std::nullopt;
  std::string standard(text);
  std::replace(standard.begin(), standard.end(), '-', '+');
  std::replace(standard.begin(), standard.end(), '_', '/');
  return decode_base64(standard);
}

// ---- numbers

// `bytes` with the least significant one first.
std::string little(std::string_view bytes, bool big_endian) {
  std::string result(bytes);
  if (big_endian) std::reverse(result.begin(), result.end());
  return result;
}

// Sign-extended from its own width; 1, 2, 4 or 8 bytes, the least significant one first.
std::int64_t integer_of(std::string_view bytes) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bits |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  const auto unused = static_cast<unsigned>(64 - 8 * bytes.size());
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

Value real_of(std::string_view bytes) {
  const std::int64_t bits = integer_of(bytes);
  if (bytes.size() == 8) return Value::real(std::bit_cast<double>(bits));
  return Value::real(static_cast<double>(std::bit_cast<float>(static_cast<std::int32_t>(bits))));
}

}  // namespace

Value bytes_to_number(const Conversion& to, std::string_view bytes) {
  const std::string ordered = little(bytes, to.big_endian);
  const std::size_t size = ordered.size();
  if (to.target == Target::real) {
    if (size != 4 && size != 8) fail_bytes(to, "it needs 4 or 8 bytes");
    return real_of(ordered);
  }
  const bool fits = size == 1 || size == 2 || size == 4;
  if (to.target == Target::int32) {
    if (!fits) fail_bytes(to, "it needs 1, 2 or 4 bytes");
    return Value::int32(static_cast<std::int32_t>(integer_of(ordered)));
  }
  if (!fits && size != 8) fail_bytes(to, "it needs 1, 2, 4 or 8 bytes");
  return Value::int64(integer_of(ordered));
}

Value number_to_bytes(const Conversion& to, const Value& number) {
  const std::int64_t bits =
      number.is_real() ? std::bit_cast<std::int64_t>(number.real()) : number.integer();
  const std::size_t size = number.is(Value::Type::int32) ? 4 : 8;
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) {
    bytes += static_cast<char>(static_cast<std::uint64_t>(bits) >> (8 * i) & 0xFFU);
  }
  return Value::bytes(little(bytes, to.big_endian));
}

Value bytes_to_text(const Conversion& to, std::string_view bytes) {
  require_format(to);
  switch (to.format) {
    case Format::hex:
      return Value::string(to_hex(bytes));
    case Format::base64url:
      return Value::string(to_base64url(bytes));
    case Format::utf8:
      if (!is_utf8(bytes)) fail_bytes(to, "it is no UTF-8");
      return Value::string(std::string(bytes));
    case Format::uuid:
      fail_bytes(to, "it is no UUID");
    default:
      return Value::string(to_base64(bytes));
  }
}

Value text_to_bytes(const Conversion& to, std::string_view text) {
  require_format(to);
  std::optional<std::string> bytes;
  switch (to.format) {
    case Format::hex:
      bytes = from_hex(text);
      break;
    case Format::base64:
      bytes = from_base64(text);
      break;
    case Format::base64url:
      bytes = from_base64url(text);
      break;
    case Format::utf8:
      bytes = std::string(text);
      break;
    default:
      fail_text(to, "binary data of that format is not kept here");
  }
  if (!bytes) fail_text(to, "it is not in the format");
  return Value::bytes(std::move(*bytes));
}

}  // namespace gantry::data::expr

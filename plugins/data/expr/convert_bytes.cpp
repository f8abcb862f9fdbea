// Converts binary data from and to text and numbers.
#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "expr/convert.hpp"
#include "values/ascii.hpp"
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
constexpr std::size_t kBytesAtOnce = std::size_t{48} << 10;  // whole groups of base64

// Calls `work` on one part of `bytes` after the other, with a step before each.
template <class Work>
void in_parts(std::string_view bytes, const Work& work) {
  for (std::size_t at = 0; at < bytes.size(); at += kBytesAtOnce) {
    Spending::step_current();
    work(bytes.substr(at, kBytesAtOnce));
  }
}

// The buffers below are charged while they are built; the Values made of them charge themselves.

std::string to_hex(std::string_view bytes) {
  const Charge made(2 * bytes.size());
  std::string text;
  text.reserve(2 * bytes.size());
  in_parts(bytes, [&](std::string_view part) {
    for (const char c : part) {
      const auto byte = static_cast<unsigned char>(c);
      text += kHexDigits[byte >> 4U];
      text += kHexDigits[byte & 0xFU];
    }
  });
  return text;
}

std::string copied(std::string_view bytes) {
  const Charge made(bytes.size());
  return std::string(bytes);
}

std::optional<std::string> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  const Charge made(text.size() / 2);
  std::string bytes;
  bytes.reserve(text.size() / 2);
  bool is_hex = true;
  in_parts(text, [&](std::string_view part) {
    for (std::size_t i = 0; is_hex && i < part.size(); i += 2) {
      const int high = hex_digit(part[i]), low = hex_digit(part[i + 1]);
      is_hex = high >= 0 && low >= 0;
      bytes += static_cast<char>(high * 16 + low);
    }
  });
  if (!is_hex) return std::nullopt;
  return bytes;
}

// `finish` modifies each part of the text in place.
template <class Finish>
std::string to_base64(std::string_view bytes, const Finish& finish) {
  const std::size_t size = (bytes.size() + 2) / 3 * 4;
  const Charge made(size);
  std::string text;
  text.reserve(size);
  in_parts(bytes, [&](std::string_view part) {
    const std::size_t begin = text.size();
    append_base64(part, text);
    finish(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end());
  });
  return text;
}

std::string to_base64(std::string_view bytes) {
  return to_base64(bytes, [](auto, auto) {});
}

std::string to_base64url(std::string_view bytes) {
  std::string text = to_base64(bytes, [](auto begin, auto end) {
    std::replace(begin, end, '+', '-');
    std::replace(begin, end, '/', '_');
  });
  while (text.ends_with('=')) text.pop_back();
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  return text.size() % 4 == 0 ? decode_base64(text) : std::nullopt;
}

// ---- numbers

// `bytes` in little-endian order.
std::string little(std::string_view bytes, bool big_endian) {
  std::string result(bytes);
  if (big_endian) std::reverse(result.begin(), result.end());
  return result;
}

// Sign-extends 1, 2, 4 or 8 little-endian bytes.
std::int64_t integer_of(std::string_view bytes) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bits |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  const auto unused = static_cast<unsigned>(64 - 8 * bytes.size());
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

Value real_of_bytes(std::string_view bytes) {
  const std::int64_t bits = integer_of(bytes);
  if (bytes.size() == 8) return Value::real(std::bit_cast<double>(bits));
  return Value::real(static_cast<double>(std::bit_cast<float>(static_cast<std::int32_t>(bits))));
}

}  // namespace

Value bytes_to_number(const Conversion& to, std::string_view bytes) {
  const std::size_t size = bytes.size();
  if (to.target == Target::real) {
    if (size != 4 && size != 8) fail_bytes(to, "it needs 4 or 8 bytes");
    return real_of_bytes(little(bytes, to.big_endian));
  }
  const bool fits = size == 1 || size == 2 || size == 4;
  if (to.target == Target::int32) {
    if (!fits) fail_bytes(to, "it needs 1, 2 or 4 bytes");
    return Value::int32(static_cast<std::int32_t>(integer_of(little(bytes, to.big_endian))));
  }
  if (!fits && size != 8) fail_bytes(to, "it needs 1, 2, 4 or 8 bytes");
  return Value::int64(integer_of(little(bytes, to.big_endian)));
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
      return Value::string(copied(bytes));
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
      bytes = decode_base64url(text);
      break;
    case Format::utf8:
      bytes = copied(text);
      break;
    default:
      fail_text(to, "binary data of that format is not supported here");
  }
  if (!bytes) fail_text(to, "it is not in the format");
  return Value::bytes(std::move(*bytes));
}

}  // namespace gantry::data::expr

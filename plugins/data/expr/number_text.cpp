#include "expr/number_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace gantry::data::expr {
namespace {

constexpr double kLeastFixed = 1e-4, kBeyondFixed = 1e16;

// The result has at most 24 characters in the given format.
std::string written(double value, std::chars_format format) {
  std::array<char, 64> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format);
  return std::string(buffer.data(), end.ptr);
}

// Without its sign.
std::string_view unsigned_part(std::string_view text, bool& negative) {
  negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  return text;
}

bool is_hexadecimal(std::string_view text) {
  return text.starts_with("0x") || text.starts_with("0X");
}

}  // namespace

std::string shortest_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  const double size = std::fabs(value);
  const bool fixed = size == 0 || (size >= kLeastFixed && size < kBeyondFixed);
  return written(value, fixed ? std::chars_format::fixed : std::chars_format::scientific);
}

std::optional<std::int64_t> parse_whole(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value, 10);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return value;
}

std::optional<double> parse_real(std::string_view text) {
  if (text.starts_with("0x")) return std::nullopt;
  bool negative = false;
  std::string_view digits = unsigned_part(text, negative);
  const bool hexadecimal = is_hexadecimal(digits);
  if (hexadecimal) digits.remove_prefix(2);
  if (digits.empty() || digits.front() == '-' || digits.front() == '+') return std::nullopt;
  double value = 0;
  const char* const end = digits.data() + digits.size();
  const auto read = std::from_chars(
      digits.data(), end, value, hexadecimal ? std::chars_format::hex : std::chars_format::general);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  // A subnormal number has lost digits and counts as out of range.
  if (!hexadecimal && std::fpclassify(value) == FP_SUBNORMAL) return std::nullopt;
  return negative ? -value : value;
}

}  // namespace gantry::data::expr

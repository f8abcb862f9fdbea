// $ceil, $floor, and $round and $trunc at a decimal place.
//
// A double is rounded by its exact decimal value, to 34 digits: 1.005 is slightly less than its
// text, 1.25 is a tie and rounds to the even digit.
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "expr/arithmetic.hpp"
#include "expr/numbers.hpp"

namespace gantry::data::expr {
namespace {

enum class Mode { nearest, toward_zero };

constexpr std::int64_t kLeastPlace = -20;
constexpr std::int64_t kMostPlace = 100;
constexpr int kDigits = 34;

// d.ddd × 10^exponent
struct Decimal {
  std::string digits;
  int exponent = 0;
};

Decimal decimal_of(double magnitude) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), magnitude,
                                 std::chars_format::scientific, kDigits - 1);
  const std::string_view all(text.data(), static_cast<std::size_t>(end.ptr - text.data()));
  const std::size_t e = all.find('e');
  Decimal decimal;
  decimal.digits = std::string(all.substr(0, 1)) + std::string(all.substr(2, e - 2));
  const std::size_t number = e + (all[e + 1] == '+' ? 2 : 1);
  std::from_chars(all.data() + number, all.data() + all.size(), decimal.exponent);
  return decimal;
}

// Whether the digits from `kept` on are more than a half, or exactly a half after an odd digit.
bool rounds_up(const std::string& digits, std::size_t kept) {
  const bool is_odd = kept > 0 && ((digits[kept - 1] - '0') & 1) != 0;
  if (digits[kept] != '5') return digits[kept] > '5';
  return is_odd || digits.find_first_not_of('0', kept + 1) != std::string::npos;
}

// Adds one to the last digit; a carry out of the first digit makes the number longer.
void increment(Decimal& decimal) {
  std::string& digits = decimal.digits;
  std::size_t i = digits.size();
  while (i > 0 && digits[i - 1] == '9') digits[--i] = '0';
  if (i > 0) {
    ++digits[i - 1];
    return;
  }
  digits.insert(digits.begin(), '1');
  ++decimal.exponent;
}

// Keeps the digits down to `place`; `digits` is empty for zero.
void cut(Decimal& decimal, std::int64_t place, Mode mode) {
  const std::int64_t kept = decimal.exponent + 1 + place;
  if (kept >= kDigits) return;
  if (kept < 0) {
    decimal.digits.clear();
    return;
  }
  const auto count = static_cast<std::size_t>(kept);
  const bool is_up = mode == Mode::nearest && rounds_up(decimal.digits, count);
  decimal.digits.resize(count);
  if (is_up) increment(decimal);
}

double double_of(const Decimal& decimal) {
  if (decimal.digits.empty()) return 0;
  const std::string text = decimal.digits.substr(0, 1) + "." + decimal.digits.substr(1) + "0e" +
                           std::to_string(decimal.exponent);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

double round_real(double value, std::int64_t place, Mode mode) {
  if (!std::isfinite(value) || value == 0) return value;
  if (place == 0) return mode == Mode::nearest ? std::nearbyint(value) : std::trunc(value);
  Decimal decimal = decimal_of(std::fabs(value));
  cut(decimal, place, mode);
  return std::copysign(double_of(decimal), value);
}

// Rounds to a multiple of `unit`. Both are at most 10^19, so 64 bits suffice.
std::uint64_t round_magnitude(std::uint64_t value, std::uint64_t unit, Mode mode) {
  const std::uint64_t rest = value % unit;
  const std::uint64_t floor = value - rest;
  const bool is_odd = (floor / unit) % 2 != 0;
  const bool is_up = rest > unit - rest || (rest == unit - rest && is_odd);
  return mode == Mode::nearest && is_up ? floor + unit : floor;
}

Value round_integral(std::string_view op, const Value& value, std::int64_t place, Mode mode) {
  if (place >= 0) return value;
  if (place == kLeastPlace) return integral(0, value.type());  // every long is below half of 10^20
  std::uint64_t unit = 1;
  for (std::int64_t i = place; i < 0; ++i) unit *= 10;
  const bool is_negative = value.integer() < 0;
  const auto bits = static_cast<std::uint64_t>(value.integer());
  const std::uint64_t rounded = round_magnitude(is_negative ? 0 - bits : bits, unit, mode);
  if (rounded > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    throw QueryError(std::string(op) + " has no long for that result: use $toDouble first.");
  }
  const auto result = static_cast<std::int64_t>(rounded);
  return integral(is_negative ? -result : result, value.type());
}

std::int64_t round_place(std::string_view op, const Value& value) {
  if (!value.is_number()) refuse_type(op, "a whole number of places", value);
  const auto place = whole_long(value);
  if (place && *place >= kLeastPlace && *place <= kMostPlace) return *place;
  throw QueryError(std::string(op) + " needs a whole number of places from -20 to 100.");
}

Value round_at(std::string_view op, Arguments arguments, Mode mode) {
  const Value& value = arguments[0];
  if (value.is_nullish()) return Value::null();
  need_number(op, value);
  std::int64_t place = 0;
  if (arguments.size() > 1) {
    if (arguments[1].is_nullish()) return Value::null();
    place = round_place(op, arguments[1]);
  }
  if (value.is_real()) return Value::real(round_real(value.real(), place, mode));
  return round_integral(op, value, place, mode);
}

Value round_to_whole(std::string_view op, const Value& value, double (*rounded)(double)) {
  if (value.is_nullish()) return Value::null();
  need_number(op, value);
  return value.is_real() ? Value::real(rounded(value.real())) : value;
}

}  // namespace

Value round_number(Arguments arguments, Context& /*context*/) {
  return round_at("$round", arguments, Mode::nearest);
}

Value truncate_number(Arguments arguments, Context& /*context*/) {
  return round_at("$trunc", arguments, Mode::toward_zero);
}

Value round_up(Arguments arguments, Context& /*context*/) {
  return round_to_whole("$ceil", arguments[0], std::ceil);
}

Value round_down(Arguments arguments, Context& /*context*/) {
  return round_to_whole("$floor", arguments[0], std::floor);
}

}  // namespace gantry::data::expr

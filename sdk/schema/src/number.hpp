// JSON numbers without rounding: order between integers and doubles, and decimal divisibility.
#pragma once

#include <cstdint>
#include <string>

#include <rapidjson/fwd.h>

namespace gantry::schema::detail {

struct Number {
  enum class Kind : std::uint8_t { kInt, kUint, kReal };  // kUint only above INT64_MAX
  Kind kind = Kind::kInt;
  union {
    std::int64_t i = 0;
    std::uint64_t u;
    double d;
  };

  // `value` must be a number.
  static Number of(const rapidjson::Value& value);
  bool is_integer() const;
  std::string text() const;
};

// -1, 0 or 1. Exact for every pair.
int compare(const Number& a, const Number& b);

// |x| as digits * 10^exponent, from the shortest decimal that reads back as the same number.
struct Decimal {
  std::uint64_t digits = 0;
  std::int32_t exponent = 0;

  static Decimal of(const Number& x);
};

// Whether `x` is an integer multiple of `divisor` (whose digits are not 0). Any exponents.
bool is_multiple(const Number& x, const Decimal& divisor);

}  // namespace gantry::schema::detail

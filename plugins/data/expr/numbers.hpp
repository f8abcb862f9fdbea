// expr/numbers.hpp: addition and multiplication that keep MongoDB's number types.
//
// An int that exceeds 32 bits becomes a long, a long that exceeds 64 bits a double; a double stays
// a double. Pure functions and small values; any thread.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "values/value.hpp"

namespace gantry::data::expr {

// 2^63, the least double above every long.
inline constexpr double kBeyondLong = 9223372036854775808.0;

inline Value::Type wider(Value::Type a, Value::Type b) { return a < b ? b : a; }

// `total` as an int where `type` is one and it fits, else as a long.
inline Value integral(std::int64_t total, Value::Type type) {
  return type == Value::Type::int32 ? Value::integer(total) : Value::int64(total);
}

// The double rounded to a long, half away from zero; empty for NaN and values out of range.
inline std::optional<std::int64_t> rounded_long(double value) {
  const double whole = std::round(value);
  if (!(whole >= -kBeyondLong && whole < kBeyondLong)) return std::nullopt;
  return static_cast<std::int64_t>(whole);
}

// The number as a long, if it is whole and fits.
inline std::optional<std::int64_t> whole_long(const Value& number) {
  if (!number.is_real()) return number.integer();
  const double real = number.real();
  return std::trunc(real) == real ? rounded_long(real) : std::nullopt;
}

// Keeps the rounding errors in a second double, so that the order of summation matters little.
class CompensatedSum {
 public:
  void add(double value) {
    plain_ += value;
    const double sum = sum_ + value;
    const double part = sum - sum_;
    lost_ += (sum_ - (sum - part)) + (value - part);
    sum_ = sum;
  }
  // Split into two exact halves: a long may have more digits than a double.
  void add(std::int64_t value) {
    const std::int64_t high = value / (1LL << 32) * (1LL << 32);
    add(static_cast<double>(value - high));
    add(static_cast<double>(high));
  }
  double total() const {
    const double exact = sum_ + lost_;
    return std::isnan(exact) ? plain_ : exact;  // infinities have no rounding error
  }

 private:
  double plain_ = 0;
  double sum_ = 0;
  double lost_ = 0;
};

}  // namespace gantry::data::expr

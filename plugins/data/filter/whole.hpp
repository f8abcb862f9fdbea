// filter/whole.hpp: converts doubles to 64-bit integers. Internal to filter/.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "values/value.hpp"

namespace gantry::data::filter {

inline constexpr double kTwoTo63 = 9223372036854775808.0;

// A number without its fraction; empty for NaN, infinities and values beyond 64 bits.
inline std::optional<std::int64_t> truncated(const Value& value) {
  if (value.is_integral()) return value.integer();
  if (!value.is_real()) return std::nullopt;
  const double number = value.real();
  if (!(number >= -kTwoTo63 && number < kTwoTo63)) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

// A number that has no fraction; otherwise empty.
inline std::optional<std::int64_t> exact_integer(const Value& value) {
  if (value.is_real() && std::trunc(value.real()) != value.real()) return std::nullopt;
  return truncated(value);
}

}  // namespace gantry::data::filter

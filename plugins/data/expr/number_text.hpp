// expr/number_text.hpp: converts numbers to and from text, for $toString, $toInt, $toLong and
// $toDouble. Pure functions, independent of the locale; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gantry::data::expr {

// The shortest text that reads back as the same double: 3, 0.1, 1e+16, 9e-05, NaN, Infinity.
std::string shortest_text(double value);

// Accepts decimal digits with an optional sign only; empty for other texts and if it does not fit.
std::optional<std::int64_t> parse_whole(std::string_view text);

// Accepts decimal or hexadecimal floating point with an optional sign, inf, infinity, nan. Empty
// for texts that begin with 0x and for numbers outside the range of a double.
std::optional<double> parse_real(std::string_view text);

}  // namespace gantry::data::expr

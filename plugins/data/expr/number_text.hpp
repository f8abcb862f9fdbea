// expr/number_text.hpp: numbers to and from the text of $toString, $toInt, $toLong and $toDouble.
// Pure functions that do not depend on the locale; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gantry::data::expr {

// The shortest text that reads back as the same double: 3, 0.1, 1e+16, 9e-05, NaN, Infinity.
std::string shortest_text(double value);

// Decimal digits with an optional sign and nothing else; nothing too when it does not fit.
std::optional<std::int64_t> parse_whole(std::string_view text);

// Decimal or hexadecimal floating point with an optional sign, inf, infinity, nan; but nothing that
// begins with 0x, and nothing too large or too small for a double.
std::optional<double> parse_real(std::string_view text);

}  // namespace gantry::data::expr

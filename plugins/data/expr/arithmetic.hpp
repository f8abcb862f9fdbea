// expr/arithmetic.hpp: functions shared by the files of the arithmetic family.
//
// Internal to the family. The functions have the signature of registry.hpp's Function and throw
// QueryError.
#pragma once

#include <string_view>

#include "errors/query_error.hpp"
#include "expr/registry.hpp"

namespace gantry::data::expr {

// Refuses values other than numbers, null and missing.
void need_number(std::string_view op, const Value& value);

// Whether an argument is null or missing: the result is then null, whatever the others are.
bool any_nullish(Arguments arguments);

// sums.cpp
Value add_all(Arguments arguments, Context& context);
Value subtract(Arguments arguments, Context& context);
Value multiply_all(Arguments arguments, Context& context);

// rounding.cpp
Value round_number(Arguments arguments, Context& context);
Value truncate_number(Arguments arguments, Context& context);
Value round_up(Arguments arguments, Context& context);
Value round_down(Arguments arguments, Context& context);

// powers.cpp
Value raise_power(Arguments arguments, Context& context);
Value exponential(Arguments arguments, Context& context);
Value natural_logarithm(Arguments arguments, Context& context);
Value decimal_logarithm(Arguments arguments, Context& context);
Value logarithm(Arguments arguments, Context& context);
Value square_root(Arguments arguments, Context& context);
Value sigmoid(Arguments arguments, Context& context);

// bits.cpp
Value bits_and(Arguments arguments, Context& context);
Value bits_or(Arguments arguments, Context& context);
Value bits_xor(Arguments arguments, Context& context);
Value bits_not(Arguments arguments, Context& context);

}  // namespace gantry::data::expr

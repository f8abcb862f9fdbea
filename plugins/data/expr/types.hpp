// expr/types.hpp: type operators in files of their own, for the tables in types.cpp.
#pragma once

#include "expr/registry.hpp"

namespace gantry::data::expr {

// convert_form.cpp: $convert, which evaluates onError and onNull only if needed.
ExpressionPtr parse_convert(std::string_view name, const Value& operand, Variables& variables);

// sizes.cpp
Value binary_size(Arguments arguments, Context& context);
Value bson_size(Arguments arguments, Context& context);

}  // namespace gantry::data::expr

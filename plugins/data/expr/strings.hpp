// expr/strings.hpp: string operators in files of their own, for the table in strings.cpp.
#pragma once

#include "expr/registry.hpp"

namespace gantry::data::expr {

// substrings.cpp
Value substr(Arguments arguments, Context& context);
Value substr_bytes(Arguments arguments, Context& context);
Value substr_cp(Arguments arguments, Context& context);
Value index_of_bytes(Arguments arguments, Context& context);
Value index_of_cp(Arguments arguments, Context& context);

// trims.cpp
Value trim(const NamedArguments& arguments, Context& context);
Value trim_left(const NamedArguments& arguments, Context& context);
Value trim_right(const NamedArguments& arguments, Context& context);

// replacements.cpp
Value replace_one(const NamedArguments& arguments, Context& context);
Value replace_all(const NamedArguments& arguments, Context& context);

}  // namespace gantry::data::expr

// expr/array_forms.hpp: the forms of array_family(), and functions that its operators share.
#pragma once

#include <cstdint>
#include <optional>

#include "expr/registry.hpp"

namespace gantry::data::expr {

// $map, $filter and $reduce: array_loops.cpp.
ExpressionPtr parse_map(std::string_view name, const Value& operand, Variables& variables);
ExpressionPtr parse_filter(std::string_view name, const Value& operand, Variables& variables);
ExpressionPtr parse_reduce(std::string_view name, const Value& operand, Variables& variables);
// array_zip.cpp, array_sort.cpp
ExpressionPtr parse_zip(std::string_view name, const Value& operand, Variables& variables);
ExpressionPtr parse_sort_array(std::string_view name, const Value& operand, Variables& variables);

// The value as a 32-bit whole number; empty for other values.
std::optional<std::int32_t> index_value(const Value& value);
// Refuses values other than 32-bit whole numbers; `role` names the argument.
std::int32_t require_index(std::string_view op, std::string_view role, const Value& value);
// Refuses values other than arrays.
const Array& require_array(std::string_view op, const Value& value);

}  // namespace gantry::data::expr

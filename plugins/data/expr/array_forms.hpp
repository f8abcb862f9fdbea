// expr/array_forms.hpp: the forms of array_family() and what its operators share.
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

// The value as a whole number of 32 bits; nothing when it is none.
std::optional<std::int32_t> index_value(const Value& value);
// Refuses what is no whole number of 32 bits; `role` says which argument it is.
std::int32_t require_index(std::string_view op, std::string_view role, const Value& value);
// Refuses what is no array.
const Array& require_array(std::string_view op, const Value& value);

}  // namespace gantry::data::expr

// where/operators.hpp: the names that begin with '$', and the places where each is allowed.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace gantry::data::where {

enum class OperatorGroup : std::uint8_t {
  unknown,
  root,   // at the root, beside fields: $and, $or, $nor, $expr, …
  field,  // inside a field's condition
  geo,    // needs a geospatial column, which tables do not have
  text,   // needs a full-text index
  code    // would run code: refused
};

OperatorGroup operator_group(std::string_view name);

// The operators that callers can use, in the order of explanations.
std::span<const std::string_view> known_operators();

}  // namespace gantry::data::where

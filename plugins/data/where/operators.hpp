// where/operators.hpp: the names that begin with '$', and where each may stand.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace gantry::data::where {

enum class OperatorGroup : std::uint8_t {
  unknown,
  root,   // beside the fields: $and, $or, $nor, $expr, …
  field,  // inside a field's condition
  geo,    // needs a kind of column this store has not
  text,   // needs a search index
  code    // would run code
};

OperatorGroup operator_group(std::string_view name);

// Those a caller can use, in the order they are explained.
std::span<const std::string_view> known_operators();

}  // namespace gantry::data::where

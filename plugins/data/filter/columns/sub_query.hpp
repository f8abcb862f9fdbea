// filter/columns/sub_query.hpp: the operand of $inQuery, $notInQuery, $select and $dontSelect.
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "values/value.hpp"

namespace gantry::data::columns {

// Its texts and values are the operand's.
struct SubQuery {
  std::string_view class_name;
  const Value* where = nullptr;  // an object; null: all objects
  std::optional<std::string_view> order = {};
  std::optional<std::uint64_t> limit = {};
  std::uint64_t skip = 0;
  std::string_view key = {};  // of $select and $dontSelect, not empty; empty for the others
};

// True for these operators.
bool is_related(std::string_view op);

// Throws QueryError with invalid_query: a member is missing, unknown or has a wrong type.
SubQuery read_sub_query(std::string_view op, const Value& operand);

}  // namespace gantry::data::columns

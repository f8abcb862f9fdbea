// values/json_size.hpp: the length of a value's JSON, computed without writing it.
#pragma once

#include <cstddef>
#include <string_view>

#include "values/extended_json.hpp"

namespace gantry::data {

// The bytes that append_value_json() would append. Counts steps of the thread's query.
std::size_t json_bytes(const Value& value, JsonDialect dialect);
// The bytes of a member's name with quotes, without the colon.
std::size_t json_name_bytes(std::string_view name);

}  // namespace gantry::data

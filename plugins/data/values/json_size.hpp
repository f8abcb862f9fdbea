// values/json_size.hpp: how long the JSON of a value is, without making it.
#pragma once

#include <cstddef>
#include <string_view>

#include "values/extended_json.hpp"

namespace gantry::data {

// The bytes that append_value_json() would append. Takes steps of the query of the thread.
std::size_t json_bytes(const Value& value, Dress dress);
// Those of a member's name, without the colon.
std::size_t json_name_bytes(std::string_view name);

}  // namespace gantry::data

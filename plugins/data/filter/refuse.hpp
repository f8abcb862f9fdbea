// filter/refuse.hpp: error messages for invalid filters. Internal to filter/.
#pragma once

#include <string>
#include <string_view>

#include "errors/query_error.hpp"
#include "values/value.hpp"

namespace gantry::data::filter {

// The type of a value, for messages: "a string", "an object".
std::string a_type(const Value& value);

// Throws "$size needs a number, not a string."
[[noreturn]] void refuse_operand(std::string_view op, std::string_view wanted, const Value& got);

// Refuses `name`, an operator that is not allowed here: as code, as a known but unsupported
// operator, or with the nearest names.
[[noreturn]] void refuse_operator(std::string_view name, bool at_root);

}  // namespace gantry::data::filter

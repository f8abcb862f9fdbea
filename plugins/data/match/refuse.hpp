// match/refuse.hpp: sentences for filters that cannot be. Internal to match/.
#pragma once

#include <string>
#include <string_view>

#include "values/query_error.hpp"
#include "values/value.hpp"

namespace gantry::data::match {

// "a string", "an object": for messages.
std::string a_type(const Value& value);

// "$size needs a number, not a string."
[[noreturn]] void refuse_operand(std::string_view op, std::string_view wanted, const Value& got);

// `name` is no operator that may stand here: says so as code, by name or with the nearest ones.
[[noreturn]] void refuse_operator(std::string_view name, bool at_root);

}  // namespace gantry::data::match

// ops/json_parts.hpp: parts of a stored JSON value, as a projection with dotted keys returns them.
#pragma once

#include <string>
#include <string_view>

#include "ops/selection.hpp"

namespace gantry::data {

// Appends the parts of `json` that `paths` select: members of objects, and of each element of an
// array. Scalars are left out if a path continues below them. Text that is not an object or array,
// or is nested more than 500 deep, is written as null.
void append_json_parts(std::string_view json, const JsonPaths& paths, const ClassFilter* classes,
                       std::string& out);

}  // namespace gantry::data

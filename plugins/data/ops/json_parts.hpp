// ops/json_parts.hpp: parts of a stored JSON value, as a projection with dotted keys returns them.
#pragma once

#include <string>
#include <string_view>

#include "ops/selection.hpp"

namespace gantry::data {

// Appends what `paths` keep of `json`: members of objects, through arrays element by element;
// scalars where more was asked for are left out. Text that is no object or array is null, and so is
// one nested more than 500 deep.
void append_json_parts(std::string_view json, const JsonPaths& paths, std::string& out);

}  // namespace gantry::data

// core/canonical.hpp: one text for all spellings of the same JSON value.
//
// Pure functions; any thread.
#pragma once

#include <gantry/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace mutation {

// Members sorted by name, strings with the same escapes, no white space; numbers as written.
std::string canonical(const gantry::Json& value);

// The object's members without those named, in the order of the text: an object again, each value
// as written.
std::string without(const gantry::Json& object, const std::vector<std::string_view>& names);

}  // namespace mutation

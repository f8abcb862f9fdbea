// model/lines.hpp: the lines of a JSON text's keys, for error messages.
//
// Pure; any thread.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <gantry/result.hpp>

namespace gantry::data::model {

// The line of each key by its path from the root, joined by dots; elements of arrays have none of
// their own. `text` is valid JSON. GANTRY_INVALID_ARGUMENT, beginning ":LINE: ": an object has a
// key twice, or the nesting has more than 64 levels.
Result<std::map<std::string, int>> lines_of_keys(std::string_view text);

// The line of the character at `offset`, from 1.
int line_at(std::string_view text, std::size_t offset);

}  // namespace gantry::data::model

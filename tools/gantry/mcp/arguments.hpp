// tools/gantry/mcp/arguments.hpp: the arguments of a tool call from the words of a command line.
//
// Pure functions; any thread.
#pragma once

#include <string>
#include <vector>

#include <rapidjson/fwd.h>

#include <gantry/result.hpp>

namespace gantry::cli {

// The JSON object of the words: JSON objects, and KEY=VALUE, in any order. A value becomes what
// `schema`, the tool's input schema, says of its property: a number, true or false, JSON text of an
// object or array, else the text itself. A property that takes an array takes its items one by one
// too, by the same key again. What the schema does not say is JSON if it can be read as such, else
// text. A member of a later word replaces one of the JSON. The error is a sentence for the user
// that names the word.
Result<std::string> arguments_of(const std::vector<std::string>& words,
                                 const rapidjson::Value& schema);

}  // namespace gantry::cli

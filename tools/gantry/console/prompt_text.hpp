// tools/gantry/console/prompt_text.hpp: prompts as text.
//
// Pure functions.
#pragma once

#include <cstddef>
#include <string>

#include <rapidjson/fwd.h>

namespace gantry::cli::console {

// Of {prompts: […]}: names, arguments with optional ones in brackets, descriptions. Lines take at
// most `width` columns (0: any number).
std::string prompt_table(const rapidjson::Value& listed, std::size_t width);

// Of the result of prompts/get: each message behind its role.
std::string prompt_messages(const rapidjson::Value& result);

}  // namespace gantry::cli::console

// tools/gantry/plugin/states.hpp: plugins as a table for people.
//
// Pure.
#pragma once

#include <string>

#include <rapidjson/document.h>

namespace gantry::cli {

// Of {plugins: […]}: a line each under a heading; one sentence when there are none.
std::string state_table(const rapidjson::Value& answer);

// What people should know of one plugin beside its state: why it does not serve, why its newest
// file does not, restarts, what hangs. Empty when all is well.
std::string remarks(const rapidjson::Value& state);

}  // namespace gantry::cli

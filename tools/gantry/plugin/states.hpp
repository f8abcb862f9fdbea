// tools/gantry/plugin/states.hpp: the states of plugins as a table and as remarks.
//
// Pure.
#pragma once

#include <string>

#include <rapidjson/fwd.h>

namespace gantry::cli {

// Formats {plugins: […]}: one line per plugin under a heading; one sentence when there are none.
std::string state_table(const rapidjson::Value& answer);

// Remarks about one plugin: why it does not serve, why its newest file was refused, restarts, calls
// that hang. Empty when there is nothing to report.
std::string remarks(const rapidjson::Value& state);

}  // namespace gantry::cli

// ops/normalized.hpp: one text for requests that mean the same.
#pragma once

#include <rapidjson/document.h>

#include <string>
#include <string_view>

namespace gantry::data {

// {"op":…,"args":{…}} without blanks, with the arguments in the order of their names and without
// those that are null, which count as absent. Nothing else of a value changes. Pure; any thread.
std::string normalized(std::string_view op, const rapidjson::Value& arguments);

}  // namespace gantry::data

// host/base/json_of.hpp: a parsed JSON value as text again. Pure; any thread.
#pragma once

#include <rapidjson/fwd.h>

#include <string>

namespace gantry::host {

std::string json_of(const rapidjson::Value& value);

}  // namespace gantry::host

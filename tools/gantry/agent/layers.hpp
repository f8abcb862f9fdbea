// tools/gantry/agent/layers.hpp: the layer of the host or of a plugin that refused a call.
//
// Pure functions.
#pragma once

#include <string>

#include <rapidjson/fwd.h>

namespace gantry::cli {

struct Layer {
  std::string name;      // as the `denied_at` of would-permit where that has it
  std::string sentence;  // what it means and what to change
};

// From the error code, the denial's kind and its true cause in an audit record of a failed call.
Layer layer_of(const rapidjson::Value& record);

}  // namespace gantry::cli

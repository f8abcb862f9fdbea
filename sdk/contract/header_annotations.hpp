// sdk/contract/header_annotations.hpp: the rules for "x-mcp-header" in a tool's input schema.
//
// Pure functions; any thread.
#pragma once

#include <gantry/result.hpp>

#include "sdk/contract/raw_json.hpp"

namespace gantry::contract {

// Clients drop a tool whose annotations break a rule, so the plugin is told instead: the value is
// an HTTP token, unique but for case, on a property of type string, integer or boolean that is
// reached through "properties" alone.
Status check_header_annotations(const RawJson& input_schema);

}  // namespace gantry::contract

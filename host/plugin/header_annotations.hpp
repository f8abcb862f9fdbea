// host/plugin/header_annotations.hpp: the rules for "x-mcp-header" in a tool's input schema.
//
// Pure functions; any thread.
#pragma once

#include <string_view>

#include <rapidjson/document.h>

#include <gantry/result.hpp>

namespace gantry::host {

// Clients drop a tool whose annotations break a rule, so the plugin is told instead: the value is
// an HTTP token, unique but for case, on a property of type string, integer or boolean that is
// reached through "properties" alone.
Status check_header_annotations(const rapidjson::Value& input_schema);

}  // namespace gantry::host

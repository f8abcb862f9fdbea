// sdk/contract/names.hpp: the names of plugins, tools, services and requests for input.
//
// Pure functions; any thread.
#pragma once

#include <string_view>

namespace gantry::contract {

// Lower-case letters, digits, '_' and '-', first a letter or digit, at most 64.
bool is_plugin_name(std::string_view name);
// 1 to 64 of A-Z a-z 0-9 _ - .
bool is_tool_name(std::string_view name);
// 1 to 64 of A-Z a-z 0-9 _: behind the last dot of "Class.name"
bool is_method_name(std::string_view name);
// The key of a request (gantry.input/1) follows the same rule.
inline bool is_input_key(std::string_view key) { return is_tool_name(key); }
// A name and a revision, "acme.stock/1": lower-case letters, digits, '_', '-', '.'; at most 63.
bool is_service_id(std::string_view id);

}  // namespace gantry::contract

// host/rpc/admin/state_json.hpp: the JSON form of a plugin's state.
//
// Pure functions; any thread.
#pragma once

#include <string>
#include <vector>

#include "host/plugin/admin.hpp"

namespace gantry::host::rpc {

// {name, version, generation, state, isolation ("in-process" or "process"), file, sha256, builtin,
// reason?, last_failure?, pid?, restarts?, draining?, stuck?, abandoned_calls?}. A member with "?"
// is left out if it is empty or 0.
std::string state_json(const PluginState& state);

// {plugins: [state]}
std::string states_json(const std::vector<PluginState>& states);

// A state with {manifest, offer, settings}, objects. On one line.
std::string info_json(const PluginInfo& info);

}  // namespace gantry::host::rpc

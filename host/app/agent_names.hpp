// host/app/agent_names.hpp: names in agents' profiles that nothing offers.
//
// Any thread but those of calls.
#pragma once

#include <gantry/status.hpp>

#include "host/auth/agents/agents_file.hpp"
#include "host/calls/calls.hpp"
#include "host/config/plugin_settings.hpp"
#include "host/observe/log.hpp"
#include "host/registry/registry.hpp"

namespace gantry::host {

// GANTRY_INVALID_ARGUMENT: a built-in plugin that offers a service runs in a worker process.
// Workers never get the rights of callers, so it could not obey the profiles. `next`: settings that
// are to be taken over, which must not move it there either; null: none.
Status check_services_in_process(const Snapshot& snapshot, const SettingsByName* next = nullptr);

// What profiles need of the plugins and name of theirs. Blocks for the time of its calls.
// GANTRY_INVALID_ARGUMENT: check_services_in_process() refuses; a profile with strict_tools names a
// tool that no plugin offers (the message has the nearest); one with strict_classes names a class,
// in `classes` or `filters`, that is absent or cannot be looked up; or a row filter does not fit
// its class by the rules of a caller's `where`. Names of other profiles that nothing offers or that
// cannot be looked up, and such names in `methods`, are logged.
Status check_agents(const AgentsFile& file, const Registry& registry, Calls& calls, Log& log);

}  // namespace gantry::host

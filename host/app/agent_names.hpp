// host/app/agent_names.hpp: names in agents' profiles that nothing offers.
//
// Pure but for the log; any thread.
#pragma once

#include "host/auth/agents/agents_file.hpp"
#include "host/observe/log.hpp"
#include "host/registry/snapshot.hpp"

namespace gantry::host {

// GANTRY_INVALID_ARGUMENT: a profile with strict_tools names a tool that no plugin offers; the
// message names the nearest. Of other profiles such names are logged.
Status check_tool_names(const AgentsFile& file, const Snapshot& snapshot, Log& log);

}  // namespace gantry::host

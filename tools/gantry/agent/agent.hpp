// tools/gantry/agent/agent.hpp: the commands of `gantry agent`, one file each.
#pragma once

#include "tools/gantry/command.hpp"

namespace gantry::cli {

void declare_agent(CLI::App& app, Run& run);

// Of `gantry agent`.
void declare_agent_why(CLI::App& agent, Run& run);

}  // namespace gantry::cli

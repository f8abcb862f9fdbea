// tools/gantry/agent/agent.hpp: gantry agent list, describe, would-permit, gates.
#pragma once

#include "tools/gantry/command.hpp"

namespace gantry::cli {

void declare_agent(CLI::App& app, Run& run);

// Each adds its subcommand to `gantry agent`.
void declare_agent_describe(CLI::App& agent, Run& run);
void declare_agent_permit(CLI::App& agent, Run& run);

}  // namespace gantry::cli

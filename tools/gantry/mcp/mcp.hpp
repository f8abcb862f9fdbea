// tools/gantry/mcp/mcp.hpp: the commands that ask an MCP server, a file each.
#pragma once

#include "tools/gantry/command.hpp"

namespace gantry::cli {

void declare_call(CLI::App& app, Run& run);
void declare_tools(CLI::App& app, Run& run);

}  // namespace gantry::cli

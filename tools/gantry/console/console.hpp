// tools/gantry/console/console.hpp: the command `gantry console`.
#pragma once

#include "tools/gantry/command.hpp"

namespace gantry::cli {

void declare_console(CLI::App& app, Run& run);

}  // namespace gantry::cli

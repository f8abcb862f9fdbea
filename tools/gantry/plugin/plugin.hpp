// tools/gantry/plugin/plugin.hpp: the commands of `gantry plugin`, one file each.
#pragma once

#include "tools/gantry/command.hpp"

namespace gantry::cli {

void declare_plugin(CLI::App& app, Run& run);

}  // namespace gantry::cli

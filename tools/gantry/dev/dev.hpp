// tools/gantry/dev/dev.hpp: gantry dev.
#pragma once

#include "tools/gantry/command.hpp"

namespace gantry::cli {

void declare_dev(CLI::App& app, Run& run);

}  // namespace gantry::cli

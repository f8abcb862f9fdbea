// tools/gantry/import/import.hpp: `gantry import`.
#pragma once

#include "tools/gantry/command.hpp"

namespace gantry::cli {

void declare_import(CLI::App& app, Run& run);

}  // namespace gantry::cli

// tools/gantry/key/key.hpp: gantry key create, list, rotate, revoke.
#pragma once

#include "tools/gantry/command.hpp"

namespace gantry::cli {

void declare_key(CLI::App& app, Run& run);

}  // namespace gantry::cli

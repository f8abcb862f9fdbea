// tools/gantry/audit/audit.hpp: the command `gantry audit`.
#pragma once

#include "tools/gantry/command.hpp"

namespace gantry::cli {

void declare_audit(CLI::App& app, Run& run);

}  // namespace gantry::cli

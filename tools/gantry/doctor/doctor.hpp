// tools/gantry/doctor/doctor.hpp: the command `gantry doctor`.
#pragma once

#include "tools/gantry/command.hpp"

namespace gantry::cli {

void declare_doctor(CLI::App& app, Run& run);

}  // namespace gantry::cli

// host/app/check.hpp: gantryd --check-config.
#pragma once

#include <vector>

#include <gantry/status.hpp>

#include "host/app/access.hpp"
#include "host/config/flags.hpp"
#include "host/config/read.hpp"

namespace gantry::host {

// Refuses a path to plugins that a flag names and that does not exist.
Status check_paths(const CommandLine& line);

// Reads the agents file and loads the plugins with the settings, as serving does but with a state
// directory that is removed afterwards; the plugins open what their configuration names, and the
// names and filters of profiles are looked up. Writes log lines to standard output. The error is
// the first fault: of the agents file, a plugin that was required, or one that was refused. Main
// thread.
Status check_parts(const CommandLine& line, const std::vector<PluginKeys>& keys,
                   const Address& address, std::vector<EnvironmentKey> environment);

}  // namespace gantry::host

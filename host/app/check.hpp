// host/app/check.hpp: gantryd --check-config.
#pragma once

#include <vector>

#include <gantry/status.hpp>

#include "host/config/flags.hpp"

namespace gantry::host {

// Refuses a path to plugins that a flag names and that does not exist.
Status check_paths(const CommandLine& line);

// Loads the plugins with the settings, as serving does but with a state directory that is removed
// afterwards; the plugins open what their configuration names. Writes their log lines to standard
// output. The error is the first fault: a plugin that was required, or that was refused. Main
// thread.
Status check_plugins(const CommandLine& line, const std::vector<PluginKeys>& keys);

}  // namespace gantry::host

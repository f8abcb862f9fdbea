// host/app/run.hpp: runs the server from its settings to its exit code.
#pragma once

#include <functional>
#include <vector>

#include "host/app/signals.hpp"
#include "host/config/flags.hpp"

namespace gantry::host {

// Serves until a signal to stop (or, on stdio, until the input ends). Returns the exit code: 0
// stopped, 2 bad configuration, 3 cannot listen. `plugins` are the keys that `line` was read with.
// `reread` reads the command line and its file anew; called on another thread while this serves.
// Main thread.
int run(const CommandLine& line, const std::vector<PluginKeys>& plugins, const Signals& signals,
        std::function<CommandLine()> reread);

}  // namespace gantry::host

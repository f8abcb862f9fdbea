// host/app/run.hpp: the server from its settings to its end.
#pragma once

#include "host/app/signals.hpp"
#include "host/config/flags.hpp"

namespace gantry::host {

// Serves until told to stop (or, on stdio, until the input ends). Returns the exit code: 0 stopped,
// 2 bad configuration, 3 cannot listen. Main thread.
int run(const CommandLine& line, const Signals& signals);

}  // namespace gantry::host

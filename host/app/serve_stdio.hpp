// host/app/serve_stdio.hpp: serves one client on standard input and output until its end or a
// signal.
//
// Main thread.
#pragma once

#include "host/app/running.hpp"

namespace gantry::host {

// The exit code.
int serve_stdio(const Running& running);

}  // namespace gantry::host

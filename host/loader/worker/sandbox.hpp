// host/loader/worker/sandbox.hpp: what a worker may do, from the host's side as text and applied
// in the worker itself.
#pragma once

#include <string>
#include <string_view>

#include <gantry/result.hpp>

#include "host/loader/instance.hpp"

namespace gantry::host {

// One argument of a command line, read by confine(). Not `confined`: nothing but the worker's tie
// to its host.
std::string confinement(const WorkerLimits& limits, bool confined = true);

// In the worker, as the only thread, before any code of the plugin is mapped: the limits on memory
// and descriptors, no core files, death with the host, no new privileges, and the filter of system
// calls: everything it refuses answers EPERM. Cannot be undone. The Status says what this system
// cannot do; go no further then.
Status confine(std::string_view confinement);

}  // namespace gantry::host

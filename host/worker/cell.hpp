// host/worker/cell.hpp: the files that a worker reaches, from its confinement.
//
// Pure functions; any thread.
#pragma once

#include "host/worker/confinement.hpp"
#include "host/worker/landlock.hpp"

namespace gantry::host {

// The plugin's own file is not among them: it is a memory file, which Landlock leaves open to the
// processes that have its descriptor. Where the walls are down all files are left open.
Domain domain_of(const Confinement& said);

}  // namespace gantry::host

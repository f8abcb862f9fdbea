// host/loader/worker/cell.hpp: the files that a worker reaches, from what it was told.
//
// Pure functions; any thread.
#pragma once

#include <filesystem>

#include "host/loader/worker/confinement.hpp"
#include "host/loader/worker/landlock.hpp"

namespace gantry::host {

// `library`: the plugin's file; empty: none. Where the walls are down all files are left open.
Domain domain_of(const Confinement& said, const std::filesystem::path& library);

}  // namespace gantry::host

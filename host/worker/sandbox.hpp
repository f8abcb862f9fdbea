// host/worker/sandbox.hpp: the limits of a worker, from the host's side as text and applied
// in the worker itself.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <gantry/result.hpp>

#include "host/plugin/instance.hpp"

namespace gantry::host {

// One word of an assignment, read by confine(). `temporary`: the directory that the worker may
// write to; empty: none.
std::string confinement(const WorkerLimits& limits, const std::filesystem::path& temporary);

// In the worker, as the only thread, before any code of the plugin is mapped: the limits on memory,
// descriptors and the size of files, no core files, death with the host, no capabilities, no new
// privileges, the Landlock domain, and the filter of system calls, which answers EPERM (ENOSYS for
// calls that the C library replaces by older ones). Cannot be undone. The Status says what this
// system cannot do; go no further then.
Status confine(std::string_view confinement);

}  // namespace gantry::host

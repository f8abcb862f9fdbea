// host/loader/worker/census.hpp: what a worker and what it started have in use.
//
// Reads /proc and the temporary directory: some 100 us. Any thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "host/loader/worker/temporary.hpp"

namespace gantry::host {

// The worker itself, with `group` also the other processes of its group.
std::vector<pid_t> members_of(pid_t worker, bool group);

// Of all of them; those that are gone have none.
int threads_of(const std::vector<pid_t>& members);

// Files that have no name any more and that one of `members` keeps open or mapped, on the device
// of `directory`. The size of some cannot be known: those that are mapped and not open, unless the
// host is root, and those that are in flight between two sockets. Each of them counts as `unknown`
// bytes.
DiskUse nameless_files(const std::vector<pid_t>& members, const TemporaryDirectory& directory,
                       std::uint64_t unknown);

}  // namespace gantry::host

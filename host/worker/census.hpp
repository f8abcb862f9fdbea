// host/worker/census.hpp: the threads and files of a worker and of the processes it started.
//
// Reads /proc and the temporary directory: some 100 us. Any thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "host/worker/temporary.hpp"

namespace gantry::host {

// The worker itself, with `group` also the other processes of its group.
std::vector<pid_t> members_of(pid_t worker, bool group);

struct Threads {
  int count = 0;  // of all of them; those that are gone have none
  // The first thread of one of them has ended and others go on: then the kernel shows neither its
  // descriptors nor its mappings.
  bool headless = false;
};
Threads threads_of(const std::vector<pid_t>& members);

// When it began, in clock ticks since the machine did; 0: it is gone. With the number it tells a
// process from a later one that has the same number.
std::uint64_t started_at(pid_t pid);

// Files that have no name any more and that one of `members` keeps open or mapped, on the device
// of `directory`. The size of some cannot be known. Each that is mapped and not open counts as
// `unknown` bytes, unless the host is root; each that is in flight between two sockets, which may
// be a socket with others in flight, counts as one byte more. `host_socket` is the number of the
// worker's end of the host's socket: only the host puts descriptors in flight to it.
DiskUse nameless_files(const std::vector<pid_t>& members, const TemporaryDirectory& directory,
                       std::uint64_t unknown, ino_t host_socket);

}  // namespace gantry::host

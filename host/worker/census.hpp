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

inline constexpr std::uint64_t kStatBlock = 512;  // of st_blocks, whatever the file system

struct Threads {
  int count = 0;  // the sum over `members`; a process that is gone adds none
  // In one of the processes the first thread has ended and other threads run on. The kernel then
  // shows neither the descriptors nor the mappings of that process.
  bool headless = false;
};
Threads threads_of(const std::vector<pid_t>& members);

// The time at which the process began, in clock ticks since the machine started; 0: it is gone. The
// pair of pid and time tells a process from a later one that has the same pid.
std::uint64_t started_at(pid_t pid);

// Files that have no name any more and that one of `members` keeps open or mapped, on the device
// of `directory`. The size of some cannot be known. Each that is mapped and not open counts as
// `unknown` bytes, unless the host is root; each that is in flight between two sockets, which may
// be a socket with others in flight, counts as one byte more. `host_socket` is the number of the
// worker's end of the host's socket: only the host puts descriptors in flight to it.
DiskUse nameless_files(const std::vector<pid_t>& members, const TemporaryDirectory& directory,
                       std::uint64_t unknown, ino_t host_socket);

}  // namespace gantry::host

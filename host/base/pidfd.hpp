// host/base/pidfd.hpp: a process as a descriptor that is readable once the process has ended.
//
// Any thread.
#pragma once

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

namespace gantry::host {

// Close-on-exec; below 0, with errno, if it cannot be opened. The wrapper of the C library cannot
// be called from C++ on every system.
inline int open_pidfd(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

}  // namespace gantry::host

// host/worker/filter.hpp: the system calls a worker may not make.
//
// In the worker, before it has threads. What is refused answers EPERM; clone3, openat2 and calls
// that are newer than this list answer ENOSYS, which makes libraries use older ones. The rest is
// allowed: plugins are programs of all kinds.
#pragma once

#include <gantry/result.hpp>

namespace gantry::host {

struct Grants {
  bool network = false;    // sockets of the internet's families
  bool processes = false;  // fork and exec; never in another process group
  // Signals to other processes, because something else (Landlock) keeps them in the worker's own.
  bool signals = false;
  bool all_files = false;  // no Landlock domain keeps it from files, so nothing here does either
};

Status apply_filter(const Grants& grants);

}  // namespace gantry::host

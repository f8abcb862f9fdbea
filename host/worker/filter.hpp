// host/worker/filter.hpp: the system calls a worker may not make.
//
// In the worker, before it has threads. Refused calls answer EPERM; clone3, openat2 and calls
// that are newer than this list answer ENOSYS, which makes libraries use older ones. The rest is
// allowed: plugins are programs of all kinds. The rules stand in filter_maker.cpp, which runs while
// Gantry is built.
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

// The filters are numbered by their grants.
inline constexpr unsigned kGrantCombinations = 16;
constexpr unsigned index_of(const Grants& grants) {
  return (grants.network ? 1U : 0U) | (grants.processes ? 2U : 0U) | (grants.signals ? 4U : 0U) |
         (grants.all_files ? 8U : 0U);
}
constexpr Grants grants_at(unsigned index) {
  return {(index & 1U) != 0, (index & 2U) != 0, (index & 4U) != 0, (index & 8U) != 0};
}

// For all threads of this process. Fails when the kernel has no filters.
Status apply_filter(const Grants& grants);

}  // namespace gantry::host

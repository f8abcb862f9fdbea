// host/worker/landlock.hpp: the Landlock domain of a worker: which files it reaches.
//
// landlock_version(): any thread, in the host too. raise_walls(): in the worker, before it has
// threads.
#pragma once

#include <filesystem>
#include <vector>

#include <gantry/result.hpp>

namespace gantry::host {

// The version of Landlock that this kernel offers; 0: none, or it is switched off. Version 1 is of
// Linux 5.13, 2 of 5.19, 3 of 6.2, 4 of 6.7, 5 of 6.10, 6 of 6.12.
int landlock_version();

enum class Access {
  read,    // files, and the names in directories
  run,     // that, and programs
  change,  // files and directories in every way but links, devices, sockets and programs
};

// A file, or a directory with all that is beneath it.
struct PathGrant {
  std::filesystem::path path;
  Access access = Access::read;
  bool must_exist = false;  // without it a path that is not there counts as one that is not granted
};

// The accesses that a domain leaves open. Everything else of the file system, of TCP and, from
// version 6 on, abstract sockets and signals to processes outside the domain is refused by the
// kernel with EACCES or EPERM. A process in a domain has no access to the memory of processes
// outside it.
struct Domain {
  std::vector<PathGrant> paths;
  bool network = false;    // TCP
  bool all_files = false;  // files are as free as without a domain, except for new devices
};

struct Walls {
  bool signals = false;  // signals stay in the domain
};

// Cannot be undone; inherited by the programs that the worker starts. The error says which path or
// call failed.
Result<Walls> raise_walls(const Domain& domain);

}  // namespace gantry::host

// host/worker/spawn.hpp: one program started as a worker: descriptors, environment, group.
//
// Internal to the folder.
//
// To be called on the thread the worker shall live as long as.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include <gantry/result.hpp>

namespace gantry::host {

// The host's side of a worker process. Descriptors are close-on-exec; the owner of this closes
// them.
struct Spawned {
  int pid = -1;
  int pidfd = -1;                // becomes readable when the worker ends
  int socket = -1;               // the other end is kWorkerSocket in the worker
  ino_t worker_socket = 0;       // the number of that end in the file system of sockets
  int output = -1, errors = -1;  // its output; not blocking
  long peak_before = 0;          // the host's greatest size by then, KiB
};

// `arguments` begins with the name the program is given. The program gets standard input from
// nowhere, the environment below, no other descriptor of the host, default signals, and a session
// of its own.
Result<Spawned> spawn_worker(const std::filesystem::path& program,
                             const std::vector<std::string>& arguments,
                             const std::filesystem::path& temporary);

// Kills and reaps the process, and closes the host's descriptors. On the thread that started it.
void discard(const Spawned& process) noexcept;

// A PATH that says nothing about the host, `temporary` as HOME and TMPDIR, and of the host's own
// variables only language and time zone (sanitizer builds keep the sanitizers' options too).
// "NAME=value" each.
std::vector<std::string> worker_environment(const std::filesystem::path& temporary);

}  // namespace gantry::host

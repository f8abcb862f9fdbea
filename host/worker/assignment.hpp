// host/worker/assignment.hpp: what a worker process is to do; the first message on its socket.
//
// A worker process is started before its plugin is known. It waits for this message and runs no
// code of a plugin before it.
//
// Internal to the folder and to the program at the other end.
#pragma once

#include <string>
#include <vector>

#include <gantry/result.hpp>

namespace gantry::host {

// In the host, any thread; does not wait. `words` are the worker's arguments, as a main() would get
// them, at most 64 KiB in all. `library` is passed on, and the caller keeps it; -1: none.
Status send_assignment(int socket, const std::vector<std::string>& words, int library);

// In the worker, as its only thread: waits for the message on kWorkerSocket. The library is open as
// kWorkerLibrary then, if there is one. Empty when the host has closed the socket.
Result<std::vector<std::string>> receive_assignment();

}  // namespace gantry::host

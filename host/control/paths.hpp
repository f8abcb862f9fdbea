// host/control/paths.hpp: where the control sockets of a user's hosts are.
//
// Any thread; reads the environment.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gantry/result.hpp>

namespace gantry::host::control {

// The longest path a Unix socket can have.
inline constexpr std::size_t kMaxPath = 107;

// Says so when `path` is too long for a socket, and what to do.
Status check_length(const std::string& path);

// $XDG_RUNTIME_DIR/gantry, else /run/user/UID/gantry where there is such a directory, else
// gantry-UID in the directory for temporary files.
std::filesystem::path runtime_directory();

// runtime_directory(), made if missing. An error when it is not ours alone.
Result<std::filesystem::path> make_runtime_directory();

// The socket of the host with this process id when nobody says where.
std::filesystem::path default_socket(const std::filesystem::path& directory, int pid);

// Somebody listens at `socket`.
bool is_alive(const std::filesystem::path& socket);

// The sockets in `directory` at which somebody listens, in order. `remove_dead`: what a host left
// that did not end well is removed.
std::vector<std::filesystem::path> living_sockets(const std::filesystem::path& directory,
                                                  bool remove_dead = false);

}  // namespace gantry::host::control

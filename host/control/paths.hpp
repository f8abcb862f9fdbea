// host/control/paths.hpp: the paths of the control sockets of a user's hosts.
//
// Any thread; reads the environment.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gantry/result.hpp>

namespace gantry::host::control {

// The longest path of a Unix socket, in bytes.
inline constexpr std::size_t kMaxPath = 107;

// An error if `path` is too long for a socket; its sentence names a remedy.
Status check_length(const std::string& path);

// $XDG_RUNTIME_DIR/gantry, else /run/user/UID/gantry where there is such a directory, else
// gantry-UID in the directory for temporary files.
std::filesystem::path runtime_directory();

// runtime_directory(), made if missing. An error if another user owns it or may enter it.
Result<std::filesystem::path> make_runtime_directory();

// The default socket of the host with this process id.
std::filesystem::path default_socket(const std::filesystem::path& directory, int pid);

// True if a process listens at `socket`.
bool is_alive(const std::filesystem::path& socket);

// The sockets in `directory` at which a process listens, sorted. `remove_dead` deletes sockets that
// crashed hosts left.
std::vector<std::filesystem::path> living_sockets(const std::filesystem::path& directory,
                                                  bool remove_dead = false);

}  // namespace gantry::host::control

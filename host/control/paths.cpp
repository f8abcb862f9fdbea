#include "host/control/paths.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace gantry::host::control {
namespace fs = std::filesystem;
namespace {

bool is_ours(const fs::path& directory) {
  struct stat found {};
  return ::lstat(directory.c_str(), &found) == 0 && S_ISDIR(found.st_mode) &&
         found.st_uid == ::geteuid() && (found.st_mode & 077) == 0;
}

}  // namespace

Status check_length(const std::string& path) {
  if (path.size() <= kMaxPath) return {};
  return Status::invalid("the control socket's path has " + std::to_string(path.size()) +
                         " bytes, at most " + std::to_string(kMaxPath) +
                         " are possible; name a shorter one with --control PATH: " + path);
}

fs::path runtime_directory() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime != nullptr && *runtime == '/') return fs::path(runtime) / "gantry";
  const std::string user = std::to_string(::geteuid());
  std::error_code error;
  const fs::path own = "/run/user/" + user;
  if (fs::is_directory(own, error)) return own / "gantry";
  return fs::path("/tmp") / ("gantry-" + user);
}

Result<fs::path> make_runtime_directory() {
  const fs::path directory = runtime_directory();
  if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) {
    return Status::failed("cannot make " + directory.string() + ": " + std::strerror(errno));
  }
  if (is_ours(directory)) return directory;
  return Status::failed(directory.string() +
                        " must be a directory of this user with mode 0700 to hold control sockets");
}

fs::path default_socket(const fs::path& directory, int pid) {
  return directory / ("gantryd-" + std::to_string(pid) + ".sock");
}

bool is_alive(const fs::path& socket) {
  if (socket.native().size() > kMaxPath) return false;
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return false;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket.c_str(), socket.native().size());
  const int result = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  const int problem = errno;
  ::close(fd);
  // A full queue, or a socket that refuses this user, belongs to a living process.
  return result == 0 || problem == EAGAIN || problem == EACCES || problem == EPERM;
}

std::vector<fs::path> living_sockets(const fs::path& directory, bool remove_dead) {
  std::vector<fs::path> out;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with("gantryd-") || !name.ends_with(".sock") || !entry.is_socket(error))
      continue;
    if (is_alive(entry.path())) {
      out.push_back(entry.path());
    } else if (remove_dead) {
      fs::remove(entry.path(), error);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace gantry::host::control

#include "host/control/claim.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "host/base/unique_fd.hpp"
#include "host/control/paths.hpp"

namespace gantry::host::control {
namespace {

Status cannot(const std::string& path, int problem) {
  return Status::failed("cannot listen on the control socket " + path + ": " +
                        std::strerror(problem));
}

bool bind_to(int fd, const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size());
  return ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

// Removes the socket of a dead host at `path`; an error names a living one.
Status clear(const std::string& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) return errno == ENOENT ? Status() : cannot(path, errno);
  if (!S_ISSOCK(found.st_mode)) {
    return Status::failed("the control socket's path " + path +
                          " is taken by something that is no socket; name another one");
  }
  if (is_alive(path)) {
    return Status::failed("another host listens on the control socket " + path +
                          "; stop it, or name another path with --control PATH");
  }
  return ::unlink(path.c_str()) == 0 ? Status() : cannot(path, errno);
}

}  // namespace

Result<std::unique_ptr<Claim>> Claim::take(const std::string& path) {
  if (Status status = check_length(path); !status) return status;
  const std::string parent = std::filesystem::absolute(path).parent_path();
  // Locks the directory, so that one host at a time checks the path and takes it.
  const UniqueFd directory(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.is_open() || ::flock(directory.get(), LOCK_EX) != 0) return cannot(path, errno);
  if (Status status = clear(path); !status) return status;
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return cannot(path, errno);
  struct stat made {};
  // The mode of the unbound socket becomes the file's, so that it is never wider.
  if (::fchmod(fd, 0600) == 0 && bind_to(fd, path) && ::listen(fd, 16) == 0 &&
      ::chmod(path.c_str(), 0600) == 0 && ::lstat(path.c_str(), &made) == 0) {
    return std::unique_ptr<Claim>(new Claim(path, fd, made.st_dev, made.st_ino));
  }
  const int problem = errno;
  ::close(fd);
  return cannot(path, problem);
}

Claim::~Claim() {
  struct stat found {};
  const bool ours =
      ::lstat(path_.c_str(), &found) == 0 && found.st_dev == device_ && found.st_ino == inode_;
  if (ours) ::unlink(path_.c_str());
  ::close(fd_);
}

}  // namespace gantry::host::control

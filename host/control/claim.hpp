// host/control/claim.hpp: owns the path of a Unix socket at which this process listens.
//
// A lock on the directory makes the check of an existing socket and its replacement one step for
// all hosts of the user. Any thread, one at a time.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include <gantry/result.hpp>

namespace gantry::host::control {

class Claim {
 public:
  // Listens at `path` with mode 0600. Removes the socket of a dead host. An error, naming the path:
  // another host listens there, the file there is not a socket, or the path is too long.
  static Result<std::unique_ptr<Claim>> take(const std::string& path);
  // Removes the socket, unless another process owns the path now.
  ~Claim();
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

  // The listening socket, non-blocking; owned by the claim.
  int fd() const { return fd_; }
  const std::string& path() const { return path_; }

 private:
  Claim(std::string path, int fd, dev_t device, ino_t inode)
      : path_(std::move(path)), fd_(fd), device_(device), inode_(inode) {}

  const std::string path_;
  const int fd_;
  const dev_t device_;
  const ino_t inode_;
};

}  // namespace gantry::host::control

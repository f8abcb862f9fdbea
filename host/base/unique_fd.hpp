// host/base/unique_fd.hpp: owns a file descriptor and closes it.
//
// Neither copyable nor movable. One thread at a time.
#pragma once

#include <unistd.h>

namespace gantry::host {

class UniqueFd {
 public:
  // `fd` below 0: none, as open() and socket() return it on failure.
  explicit UniqueFd(int fd) : fd_(fd) {}
  ~UniqueFd() {
    if (fd_ >= 0) ::close(fd_);
  }
  UniqueFd(const UniqueFd&) = delete;
  UniqueFd& operator=(const UniqueFd&) = delete;

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }

 private:
  int fd_;
};

}  // namespace gantry::host

#include "host/app/signals.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace gantry::host {
namespace {

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  return set;
}

sigset_t hangup_signal() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGHUP);
  return set;
}

int readable_by(const sigset_t& set) {
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  const int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (fd < 0) std::abort();
  return fd;
}

}  // namespace

Signals::Signals() : fd_(readable_by(stop_signals())), hangup_fd_(readable_by(hangup_signal())) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // `ulimit -f`: the write fails instead, and says so
}

Signals::~Signals() {
  ::close(fd_);
  ::close(hangup_fd_);
}

bool Signals::wait(int milliseconds) const {
  pollfd ready{fd_, POLLIN, 0};
  return ::poll(&ready, 1, milliseconds) > 0;
}

void Signals::release() const {
  signalfd_siginfo seen;
  while (::read(fd_, &seen, sizeof seen) == static_cast<ssize_t>(sizeof seen)) {
  }
  const sigset_t set = stop_signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace gantry::host

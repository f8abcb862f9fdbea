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

}  // namespace

Signals::Signals() {
  const sigset_t set = stop_signals();
  std::signal(SIGPIPE, SIG_IGN);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  fd_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (fd_ < 0) std::abort();
}

Signals::~Signals() { ::close(fd_); }

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

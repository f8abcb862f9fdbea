#include "tools/gantry/dev/stop.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace gantry::cli {
namespace {

sigset_t signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

Stop::Stop() {
  const sigset_t set = signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  fd_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

Stop::~Stop() { ::close(fd_); }

bool Stop::told() const {
  return ends_ || wait_for(-1, *this, std::chrono::milliseconds(0)) == Woken::stopped;
}

void Stop::forget() {
  signalfd_siginfo signal{};
  while (::read(fd_, &signal, sizeof signal) == sizeof signal) {
    ends_ = ends_ || signal.ssi_signo == SIGTERM;
  }
}

bool reader_left() {
  pollfd out{STDOUT_FILENO, 0, 0};
  return ::poll(&out, 1, 0) > 0 && (out.revents & (POLLERR | POLLHUP)) != 0;
}

Woken wait_for(int fd, const Stop& stop, std::chrono::milliseconds time) {
  pollfd ready[] = {{stop.fd(), POLLIN, 0}, {fd, POLLIN, 0}};
  for (;;) {
    const int found = ::poll(ready, 2, static_cast<int>(time.count()));
    if (found < 0 && errno == EINTR) continue;
    if (ready[0].revents != 0) return Woken::stopped;
    return found > 0 ? Woken::ready : Woken::late;
  }
}

}  // namespace gantry::cli

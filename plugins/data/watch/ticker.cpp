#include "watch/ticker.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace gantry::data {

Result<std::unique_ptr<Ticker>> Ticker::start(std::chrono::milliseconds first,
                                              std::function<std::chrono::milliseconds()> task) {
  const int wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake < 0) return Status::failed("no descriptor is left to watch the database with");
  std::unique_ptr<Ticker> ticker(new Ticker(wake, first, std::move(task)));
  try {
    ticker->thread_ = std::thread([&it = *ticker] { it.run(); });
  } catch (const std::system_error& e) {
    return Status::failed(std::string("no thread to watch the database with: ") + e.what());
  }
  return ticker;
}

Ticker::~Ticker() {
  ends_ = true;
  wake();
  if (thread_.joinable()) thread_.join();
  ::close(wake_);
}

void Ticker::wake() { ::eventfd_write(wake_, 1); }

// poll() waits by the monotonic clock, which cannot be set.
void Ticker::run() {
  ::pthread_setname_np(::pthread_self(), "gantry-ticker");
  for (;;) {
    pollfd woken{wake_, POLLIN, 0};
    const int ready = ::poll(&woken, 1, static_cast<int>(wait_.count()));
    if (ends_ || (ready < 0 && errno != EINTR)) return;
    eventfd_t count = 0;
    if (ready > 0) ::eventfd_read(wake_, &count);
    if (ready >= 0) wait_ = task_();
  }
}

}  // namespace gantry::data

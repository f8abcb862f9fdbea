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
  ::eventfd_write(wake_, 1);
  if (thread_.joinable()) thread_.join();
  ::close(wake_);
}

// poll() waits by the monotonic clock, which cannot be set.
void Ticker::run() {
  ::pthread_setname_np(::pthread_self(), "gantry-ticker");
  for (;;) {
    pollfd end{wake_, POLLIN, 0};
    const int ready = ::poll(&end, 1, static_cast<int>(wait_.count()));
    if (ready > 0) return;
    if (ready == 0) wait_ = task_();
    if (ready < 0 && errno != EINTR) return;
  }
}

}  // namespace gantry::data

#include "host/stdio/output.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <string_view>
#include <utility>

#include "host/base/json.hpp"

namespace gantry::host {
namespace {

// Bytes that may be queued before notifications are dropped.
constexpr std::size_t kMaxWaiting = 8 << 20;

}  // namespace

StdioOutput::StdioOutput(int fd, int max_listeners)
    : fd_(fd),
      wake_(::eventfd(0, EFD_CLOEXEC)),
      news_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      listeners_(max_listeners),
      answers_([this] {
        if (awaits_answers_.exchange(false)) ::eventfd_write(news_, 1);
      }) {}

StdioOutput::~StdioOutput() {
  stop(std::chrono::milliseconds(0));
  ::close(wake_);
  ::close(news_);
}

void StdioOutput::line(std::string message) {
  put_on_one_line(message);  // plugins write their schemas and answers as they like
  message += '\n';
  std::lock_guard lock(mutex_);
  if (is_.gone || is_.stopping) return;
  queue_ += message;
  more_.notify_one();
}

void StdioOutput::note(std::string message) {
  {
    std::lock_guard lock(mutex_);
    if (queue_.size() + in_hand_ > kMaxWaiting) return;
  }
  line(std::move(message));
}

bool StdioOutput::has_more_than(std::size_t most) {
  std::lock_guard lock(mutex_);
  return is_.awaited = queue_.size() + in_hand_ > most;
}

bool StdioOutput::has_open_answers() {
  awaits_answers_ = true;
  return !answers_.wait_for_none({});
}

void StdioOutput::forget_news() {
  eventfd_t ignored;
  ::eventfd_read(news_, &ignored);
}

std::size_t StdioOutput::backlog() const {
  std::lock_guard lock(mutex_);
  return is_.stuck ? queue_.size() + in_hand_ : 0;
}

void StdioOutput::when_drained(const void* owner, std::function<void()> drained) {
  std::function<void()> replaced;  // freed without the lock
  std::lock_guard lock(mutex_);
  std::swap(replaced, drained_[owner]);
  drained_[owner] = std::move(drained);
  if (!drained_[owner]) drained_.erase(owner);
  more_.notify_one();
}

void StdioOutput::start() {
  // Signals are for main.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  writer_ = std::thread([this] { write_lines(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void StdioOutput::stop(std::chrono::milliseconds limit) {
  if (!writer_.joinable()) return;
  {
    Lock lock(mutex_);
    empty_.wait_for(lock, limit, [this] { return queue_.empty() && in_hand_ == 0; });
    is_.stopping = true;
    more_.notify_one();
  }
  ::eventfd_write(wake_, 1);
  writer_.join();
  std::map<const void*, std::function<void()>> dropped;
  std::lock_guard lock(mutex_);
  dropped.swap(drained_);
}

void StdioOutput::write_lines() {
  ::pthread_setname_np(::pthread_self(), "gantry-stdout");
  for (std::string lines; take(lines); lines.clear()) {
    if (write_out(lines)) continue;
    std::lock_guard lock(mutex_);
    is_.gone = true;
    queue_.clear();
  }
}

// Waits for lines. False: stop() was called.
bool StdioOutput::take(std::string& lines) {
  Lock lock(mutex_);
  in_hand_ = 0;
  if (std::exchange(is_.awaited, false)) ::eventfd_write(news_, 1);
  while (queue_.empty() && !is_.stopping) {
    is_.stuck = false;
    empty_.notify_all();
    if (drained_.empty()) {
      more_.wait(lock);
    } else {
      report_drained(lock);
    }
  }
  lines.swap(queue_);
  in_hand_ = lines.size();
  return !is_.stopping;
}

void StdioOutput::report_drained(Lock& lock) {
  decltype(drained_) callbacks;
  callbacks.swap(drained_);
  lock.unlock();
  for (const auto& [owner, drained] : callbacks) drained();
  callbacks.clear();
  lock.lock();
}

// In pieces that a pipe takes without blocking once it is writable. False: the client is gone.
bool StdioOutput::write_out(std::string_view lines) {
  while (!lines.empty()) {
    if (!wait_writable()) return true;  // stopped; the remaining lines are dropped
    const ssize_t n = ::write(fd_, lines.data(), std::min<std::size_t>(lines.size(), PIPE_BUF));
    if (n > 0) {
      lines.remove_prefix(static_cast<std::size_t>(n));
    } else if (n < 0 && errno != EINTR && errno != EAGAIN) {
      return false;
    }
  }
  return true;
}

bool StdioOutput::wait_writable() {
  pollfd ready[] = {{fd_, POLLOUT, 0}, {wake_, POLLIN, 0}};
  if (::poll(ready, 1, 0) > 0) return true;
  {
    std::lock_guard lock(mutex_);
    is_.stuck = true;
  }
  while (::poll(ready, 2, -1) < 0 && errno == EINTR) {
  }
  return ready[0].revents != 0;
}

}  // namespace gantry::host

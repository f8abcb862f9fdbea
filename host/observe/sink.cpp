#include "host/observe/sink.hpp"

#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

#include <spdlog/pattern_formatter.h>

namespace gantry::host {
namespace {

constexpr std::size_t kMaxWaiting = 4u << 20;
// A line this soon after a write waits for the next write: waking the writer costs more than a
// line.
constexpr std::chrono::milliseconds kGather{5};

}  // namespace

DescriptorSink::DescriptorSink(int fd)
    : fd_(fd),
      formatter_(std::make_unique<spdlog::pattern_formatter>()),
      writer_([this] { run(); }) {}

DescriptorSink::~DescriptorSink() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  ready_.notify_one();
  writer_.join();
}

void DescriptorSink::log(const spdlog::details::log_msg& message) {
  spdlog::memory_buf_t line;
  std::lock_guard lock(mutex_);
  formatter_->format(message, line);
  if (waiting_.size() + line.size() > kMaxWaiting) {
    ++dropped_;
    return;
  }
  const bool wake = waiting_.empty() && !gathering_;
  waiting_.append(line.data(), line.size());
  if (wake) ready_.notify_one();
}

void DescriptorSink::flush() {
  std::unique_lock lock(mutex_);
  ++flushing_;
  ready_.notify_one();
  drained_.wait(lock, [this] { return waiting_.empty() && !writing_; });
  --flushing_;
}

void DescriptorSink::set_pattern(const std::string& pattern) {
  set_formatter(std::make_unique<spdlog::pattern_formatter>(pattern));
}

void DescriptorSink::set_formatter(std::unique_ptr<spdlog::formatter> formatter) {
  std::lock_guard lock(mutex_);
  formatter_ = std::move(formatter);
}

void DescriptorSink::run() {
  ::pthread_setname_np(::pthread_self(), "gantry-log");
  std::string batch;
  std::unique_lock lock(mutex_);
  for (;;) {
    ready_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    batch.clear();
    batch.swap(waiting_);
    const std::size_t dropped = std::exchange(dropped_, 0);
    writing_ = true;
    lock.unlock();
    send(batch);
    if (dropped > 0)
      send("(" + std::to_string(dropped) +
           " log lines dropped: the reader of standard error is too slow)\n");
    lock.lock();
    writing_ = false;
    drained_.notify_all();
    gathering_ = true;
    ready_.wait_for(lock, kGather, [this] { return stopping_ || flushing_ > 0; });
    gathering_ = false;
  }
}

void DescriptorSink::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
    if (n > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n));
    } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      pollfd writable{fd_, POLLOUT, 0};
      ::poll(&writable, 1, -1);
    } else if (errno != EINTR) {
      return;  // the reading end is closed
    }
  }
}

}  // namespace gantry::host

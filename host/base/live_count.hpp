// host/base/live_count.hpp: counts objects while they live, so that their owner can wait until all
// are gone. Any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <utility>

namespace gantry::host {

class LiveCount {
 public:
  // `none` is called each time when the last object is gone, under the lock; it must not block.
  explicit LiveCount(std::function<void()> none = {}) : report_none_(std::move(none)) {}

  void add() {
    std::lock_guard lock(mutex_);
    ++count_;
  }
  // Notifies under the lock: the waiter may destroy this as soon as it gets the lock.
  void remove() {
    std::lock_guard lock(mutex_);
    if (--count_ > 0) return;
    none_.notify_all();
    if (report_none_) report_none_();
  }
  // False when there are objects at the deadline.
  bool wait_for_none(std::chrono::steady_clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    return none_.wait_until(lock, deadline, [this] { return count_ == 0; });
  }

 private:
  const std::function<void()> report_none_;
  std::mutex mutex_;
  std::condition_variable none_;
  std::size_t count_ = 0;
};

// The first member of a counted object: it is destroyed last, so the object refers to nothing of
// the owner any more when it is no longer counted.
class ScopedCount {
 public:
  explicit ScopedCount(LiveCount& count) : count_(count) { count_.add(); }
  ~ScopedCount() { count_.remove(); }
  ScopedCount(const ScopedCount&) = delete;
  ScopedCount& operator=(const ScopedCount&) = delete;

 private:
  LiveCount& count_;
};

}  // namespace gantry::host

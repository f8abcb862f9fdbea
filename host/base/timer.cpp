#include "host/base/timer.hpp"

#include <pthread.h>

namespace gantry::host {

Timer::~Timer() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Timer::start() {
  std::lock_guard lock(mutex_);
  start_locked();
}

void Timer::start_locked() {
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
}

Timer::Id Timer::repeat(Time when, std::function<Time()> ring) {
  Id id = 0;
  bool early = false;
  {
    std::lock_guard lock(mutex_);
    start_locked();
    id = next_++;
    const auto time = times_.emplace(id, when).first;
    try {
      rings_.emplace(Key{when, id}, std::move(ring));
    } catch (...) {
      times_.erase(time);
      throw;
    }
    early = when < asleep_until_;
  }
  if (early) wake_.notify_one();
  return id;
}

// The callback, unless it runs: the caller frees it without the lock.
Timer::Rings::node_type Timer::take_locked(Id id) {
  const auto time = times_.find(id);
  if (time == times_.end()) return {};
  auto taken = rings_.extract({time->second, id});
  times_.erase(time);
  return taken;
}

void Timer::drop(Id id) {
  Rings::node_type dropped;
  std::lock_guard lock(mutex_);
  dropped = take_locked(id);
}

void Timer::drop_and_wait(Id id) {
  Rings::node_type dropped;
  std::unique_lock lock(mutex_);
  dropped = take_locked(id);
  if (std::this_thread::get_id() == thread_.get_id()) return;
  rung_.wait(lock, [&] { return id == 0 || running_ != id; });
}

void Timer::run() {
  ::pthread_setname_np(::pthread_self(), thread_name_);
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (rings_.empty() || rings_.begin()->first.first > std::chrono::steady_clock::now()) {
      sleep(lock);
    } else {
      ring_first(lock);
    }
  }
}

// Sleeps until the earliest time. If that callback is dropped meanwhile, the thread wakes once
// without work, which costs less than a notification by every later set().
void Timer::sleep(std::unique_lock<std::mutex>& lock) {
  asleep_until_ = rings_.empty() ? Time::max() : rings_.begin()->first.first;
  if (rings_.empty()) {
    wake_.wait(lock);
  } else {
    wake_.wait_until(lock, asleep_until_);
  }
  asleep_until_ = Time::min();
}

void Timer::ring_first(std::unique_lock<std::mutex>& lock) {
  auto ring = rings_.extract(rings_.begin());
  const Id id = ring.key().second;
  running_ = id;
  lock.unlock();
  const Time next = ring.mapped()();
  lock.lock();
  const auto time = times_.find(id);
  if (next != kNever && time != times_.end()) {
    time->second = ring.key().first = next;
    rings_.insert(std::move(ring));
  } else {
    lock.unlock();
    ring = {};
    lock.lock();
    times_.erase(id);
  }
  running_ = 0;
  rung_.notify_all();
}

}  // namespace gantry::host

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

Timer::Id Timer::set(Time when, std::function<void()> ring) {
  std::lock_guard lock(mutex_);
  const Id id = next_++;
  const auto place = rings_.emplace(Key{when, id}, std::move(ring)).first;
  times_.emplace(id, when);
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  if (place == rings_.begin()) wake_.notify_all();
  return id;
}

void Timer::drop(Id id) {
  std::function<void()> dropped;  // freed after the lock
  std::lock_guard lock(mutex_);
  const auto found = times_.find(id);
  if (found == times_.end()) return;
  const auto ring = rings_.find({found->second, id});
  dropped = std::move(ring->second);
  rings_.erase(ring);
  times_.erase(found);
}

void Timer::run() {
  ::pthread_setname_np(::pthread_self(), "gantry-timer");
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (rings_.empty()) {
      wake_.wait(lock);
      continue;
    }
    const Time next = rings_.begin()->first.first;
    if (next > std::chrono::steady_clock::now()) {
      wake_.wait_until(lock, next);
      continue;
    }
    std::function<void()> ring = std::move(rings_.begin()->second);
    times_.erase(rings_.begin()->first.second);
    rings_.erase(rings_.begin());
    lock.unlock();
    ring();
    ring = nullptr;
    lock.lock();
  }
}

}  // namespace gantry::host

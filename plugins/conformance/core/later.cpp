#include "core/later.hpp"

#include <utility>

namespace conformance {

void Later::start() {
  stopping_ = false;
  thread_ = std::thread([this] { run(); });
}

void Later::stop() {
  std::multimap<Clock::time_point, Entry> dropped;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    dropped.swap(entries_);
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Later::repeat(std::chrono::milliseconds interval, Step step) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    entries_.emplace(Clock::now() + interval, Entry{interval, std::move(step)});
  }
  changed_.notify_all();
}

void Later::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (entries_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const auto first = entries_.begin();
    if (const auto due = first->first; due > Clock::now()) {
      changed_.wait_until(lock, due);
      continue;
    }
    Entry entry = std::move(first->second);
    entries_.erase(first);
    lock.unlock();
    const bool again = entry.step();
    if (again) repeat(entry.interval, std::move(entry.step));
    entry.step = nullptr;  // destroyed without the lock: it may call the host
    lock.lock();
  }
}

}  // namespace conformance

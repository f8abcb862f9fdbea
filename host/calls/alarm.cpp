#include "host/calls/alarm.hpp"

#include <pthread.h>

namespace gantry::host {

Alarm::Alarm(std::function<Time(gantry_call&)> ring)
    : ring_(std::move(ring)), thread_([this] { run(); }) {}

Alarm::~Alarm() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Alarm::set(gantry_call& call, Time when) {
  bool early = false;
  {
    std::lock_guard lock(mutex_);
    times_.emplace(when, &call);
    calls_.emplace(&call, when);
    early = when < asleep_until_;
  }
  if (early) wake_.notify_one();
}

void Alarm::drop(gantry_call& call) {
  std::unique_lock lock(mutex_);
  for (auto it = calls_.lower_bound({&call, Time::min()}); it != calls_.end() && it->first == &call;
       it = calls_.erase(it)) {
    times_.erase({it->second, &call});
  }
  if (std::this_thread::get_id() == thread_.get_id()) {
    if (ringing_ == &call) ringing_ = nullptr;  // dropped from inside its own ring
    return;
  }
  rung_.wait(lock, [&] { return ringing_ != &call; });
}

// Sleeps until the earliest time. If that time is dropped meanwhile, the thread wakes once without
// work, which costs less than a notification by every later call.
void Alarm::sleep(std::unique_lock<std::mutex>& lock) {
  asleep_until_ = times_.empty() ? Time::max() : times_.begin()->first;
  if (times_.empty()) {
    wake_.wait(lock);
  } else {
    wake_.wait_until(lock, asleep_until_);
  }
  asleep_until_ = Time::min();
}

void Alarm::run() {
  ::pthread_setname_np(::pthread_self(), "gantry-deadline");
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (times_.empty() || times_.begin()->first > std::chrono::steady_clock::now()) {
      sleep(lock);
      continue;
    }
    const auto [when, call] = *times_.begin();
    times_.erase(times_.begin());
    calls_.erase({call, when});
    ringing_ = call;
    lock.unlock();
    const Time next = ring_(*call);
    lock.lock();
    if (ringing_ == call && next != Time::max()) {
      times_.emplace(next, call);
      calls_.emplace(call, next);
    }
    ringing_ = nullptr;
    rung_.notify_all();
  }
}

}  // namespace gantry::host

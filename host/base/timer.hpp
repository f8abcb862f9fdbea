// host/base/timer.hpp: one thread that runs callbacks at given times.
//
// Any thread. The timer owns the callbacks. A callback must not destroy the timer, because ~Timer()
// joins the thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace gantry::host {

class Timer {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Id = std::uint64_t;
  // The return value of a callback that does not run again.
  static constexpr Time kNever = Time::max();

  // `thread_name`: at most 15 bytes, valid as long as the timer.
  explicit Timer(const char* thread_name = "gantry-timer") : thread_name_(thread_name) {}
  // Drops all callbacks and waits for a running one to return.
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // Starts the thread; otherwise the first callback that is set does. Throws std::system_error.
  void start();

  // Calls `ring` once, at `when`, on the timer's thread and with no lock held; at once if `when`
  // has passed. `ring` delays all later callbacks, so it must be quick; it may use the timer.
  // Throws std::bad_alloc or std::system_error.
  template <class Ring>
  Id set(Time when, Ring ring) {
    return repeat(when, [ring = std::move(ring)]() mutable {
      ring();
      return kNever;
    });
  }
  // Calls `ring` at `when`, then at each time that it returns, until it returns kNever.
  Id repeat(Time when, std::function<Time()> ring);
  // Cancels the callback: it does not run again. Does not wait for a running one. An unknown id, 0
  // too, is ignored.
  void drop(Id id);
  // Drops, and waits for the callback to return if it is running on the timer's thread. Called from
  // inside the callback, it does not wait.
  void drop_and_wait(Id id);

 private:
  using Key = std::pair<Time, Id>;
  using Rings = std::map<Key, std::function<Time()>>;

  void start_locked();
  Rings::node_type take_locked(Id id);
  void run();
  void sleep(std::unique_lock<std::mutex>& lock);
  void ring_first(std::unique_lock<std::mutex>& lock);

  const char* const thread_name_;
  std::mutex mutex_;
  std::condition_variable wake_, rung_;
  Rings rings_;
  std::map<Id, Time> times_;  // of each callback that waits or runs and is not dropped
  Id next_ = 1;
  Id running_ = 0;                   // the callback that runs
  Time asleep_until_ = Time::min();  // of the thread; min() while it is awake
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace gantry::host

// host/base/timer.hpp: one thread that runs callbacks at given times.
//
// For few and long waits, of seconds and minutes. Any thread. The timer owns the callbacks.
// A callback must not destroy the timer, because ~Timer() joins the thread.
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

  Timer() = default;
  // Drops all callbacks and waits for a running one to return.
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // Calls `ring` once, at `when`, on the timer's thread and with no lock held; at once if `when`
  // has passed. `ring` delays all later callbacks, so it must be quick; it may call set() and
  // drop(). The first call starts the thread. Throws std::bad_alloc or std::system_error.
  Id set(Time when, std::function<void()> ring);
  // Cancels the callback, unless it is running or has run. Does not wait for a running one. An
  // unknown id, 0 too, is ignored.
  void drop(Id id);

 private:
  using Key = std::pair<Time, Id>;

  void run();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::map<Key, std::function<void()>> rings_;
  std::map<Id, Time> times_;
  Id next_ = 1;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace gantry::host

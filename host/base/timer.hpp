// host/base/timer.hpp: one thread that calls functions when their time has come.
//
// For waits of seconds and minutes, of which there are few. Any thread.
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
  // Calls nothing any more and waits for a call that is on its way.
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // Calls `ring` once, at `when`, on the timer's thread and with nothing locked. The thread is
  // there from the first call on.
  Id set(Time when, std::function<void()> ring);
  // Not called any more, unless it is on its way just now.
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

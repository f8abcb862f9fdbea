// host/calls/alarm.hpp: one thread that runs the deadlines and heartbeats of all running calls.
//
// Any thread may set and drop; the callback runs on the alarm's thread with no lock held. The alarm
// references no call itself.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

struct gantry_call;

namespace gantry::host {

class Alarm {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // `ring(call)` returns the time of its next run for this call, or Time::max() for none. The
  // caller of set() keeps the record alive until drop() returns.
  explicit Alarm(std::function<Time(gantry_call&)> ring);
  ~Alarm();
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  // Adds a time for the call. Throws std::bad_alloc.
  void set(gantry_call& call, Time when);
  // Removes the call. Waits while `ring` runs for it on the alarm's thread.
  void drop(gantry_call& call);

 private:
  void run();
  void sleep(std::unique_lock<std::mutex>& lock);

  const std::function<Time(gantry_call&)> ring_;
  std::mutex mutex_;
  std::condition_variable wake_, rung_;
  std::set<std::pair<Time, gantry_call*>> times_;
  std::set<std::pair<gantry_call*, Time>> calls_;
  Time asleep_until_ = Time::min();  // of the thread; min() while it is awake
  gantry_call* ringing_ = nullptr;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace gantry::host

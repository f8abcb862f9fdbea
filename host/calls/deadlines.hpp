// host/calls/deadlines.hpp (private): clients' calls that continue after start(): their deadlines,
// their heartbeats, and the wait for the last of them.
//
// A watched call is kept referenced. Any thread. Deadlines and heartbeats run on the timer's
// thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <vector>

#include "host/base/timer.hpp"
#include "host/calls/answers.hpp"

namespace gantry::host {

class Deadlines {
 public:
  // `heartbeat`: interval of the progress that the host sends for a call whose plugin reports none;
  // 0 = none. `answers` must outlive this. Throws std::system_error: no thread.
  Deadlines(Answers& answers, std::chrono::milliseconds heartbeat);

  // False when the call has ended already. Throws std::bad_alloc.
  bool watch(gantry_call& call);
  // Called when the call has ended. Waits while the timer runs for it on another thread.
  void unwatch(gantry_call& call);

  // All watched calls.
  std::vector<CallRef> watched();
  // True when no call is watched; false when `limit` has passed first.
  bool wait_until_none(std::chrono::milliseconds limit);

 private:
  struct Watched {
    CallRef call;
    Timer::Id timer = 0;
  };

  Timer::Time ring(gantry_call& call);
  Timer::Time next_ring(const gantry_call& call) const;

  Answers& answers_;
  const std::chrono::milliseconds heartbeat_;
  std::mutex mutex_;
  std::condition_variable none_;
  std::map<gantry_call*, Watched> live_;
  Timer timer_{"gantry-deadline"};  // last: its thread uses the others
};

}  // namespace gantry::host

// host/calls/deadlines.hpp (private): clients' calls that go on after start(): their deadlines,
// their heartbeats, and the wait for the last of them.
//
// Any thread. Deadlines and heartbeats run on the thread of the alarm.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <vector>

#include "host/calls/alarm.hpp"
#include "host/calls/answers.hpp"

namespace gantry::host {

class Deadlines {
 public:
  // `heartbeat`: between two values of progress for a call whose plugin reports none; 0 = none.
  Deadlines(Answers& answers, std::chrono::milliseconds heartbeat);

  // False when the call has ended already.
  bool watch(gantry_call& call);
  // The call has ended.
  void unwatch(gantry_call& call);

  // All that are watched.
  std::vector<CallRef> watched();
  // True when none is watched.
  bool wait_until_none(std::chrono::milliseconds limit);

 private:
  Alarm::Time ring(gantry_call& call);
  Alarm::Time next_ring(const gantry_call& call) const;

  Answers& answers_;
  const std::chrono::milliseconds heartbeat_;
  std::mutex mutex_;
  std::condition_variable none_;
  std::map<gantry_call*, CallRef> live_;
  Alarm alarm_;
};

}  // namespace gantry::host

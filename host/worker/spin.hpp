// host/worker/spin.hpp: whether both ends of the socket to a worker look for bytes again and
// again before they sleep.
//
// To wake a sleeper takes longer than a small call; two ends that look need no waking. It pays as
// long as one quick call follows the other, which only trying tells. So there is credit: a call
// that is answered in time earns some, and one that is not, or that comes too late for the worker's
// end, costs all that four have earned; with credit left both ends look. Without any, a call in 4
// to 64 ms tries, the more seldom the longer it never paid: that costs at most 6 % of one processor
// at first and 0.7 % soon, on each end, and nothing while there are no calls.
//
// The host decides, and tells the worker with each call how long to look for the one after it. A
// first look, and one after a failure, is long, since the other end may be asleep. With one
// processor there are none. One thread at a time.
#pragma once

#include <chrono>

namespace gantry::host::worker {

// How many processors this process may use.
int usable_processors();

// How long to look before sleeping; zero: not at all.
struct Look {
  std::chrono::microseconds here{0};   // the host, for the answer
  std::chrono::microseconds there{0};  // the worker, for the next call
};

class SpinPolicy {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit SpinPolicy(int processors = usable_processors()) : has_two_(processors > 1) {}

  // Of a call that is made now.
  Look next_call(Time now);
  // How the look for its answer ended.
  void found(Time now);
  void missed(Time now);

 private:
  static constexpr std::chrono::milliseconds kFirstPause{4};

  const bool has_two_;
  int credit_ = 0;
  bool missed_last_ = true;
  Look look_;
  Time worker_sleeps_{};  // after its look for the next call
  Time again_{};          // without credit: when it is tried again
  std::chrono::milliseconds pause_ = kFirstPause;
};

}  // namespace gantry::host::worker

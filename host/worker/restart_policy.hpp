// host/worker/restart_policy.hpp: when a failed worker comes back, and when it does not.
//
// The first restart is at once. Each further one waits, 100 ms at first and twice as long each
// time up to 30 s; a minute without a failure begins anew, and so does a worker that answered a
// call: waiting is for those that fail again at once. So many failures within a while quarantine
// the plugin, whatever was between them. One thread at a time, but for answered().
#pragma once

#include <atomic>
#include <chrono>
#include <deque>

#include "host/base/clock.hpp"
#include "host/plugin/instance.hpp"

namespace gantry::host {

class RestartPolicy {
 public:
  RestartPolicy(const WorkerLimits& limits, const Clock& clock)
      : failures_(limits.failures), within_(limits.within), clock_(clock) {}

  struct Verdict {
    bool quarantined = false;
    std::chrono::milliseconds wait{0};  // until the restart; of no meaning in quarantine
  };

  // A call was answered. Any thread.
  void answered() noexcept { answered_.store(true, std::memory_order_relaxed); }
  // The worker ended, or did not come up.
  Verdict failed();

 private:
  std::chrono::milliseconds next_wait(Clock::Instant now);

  int failures_;
  std::chrono::milliseconds within_;
  const Clock& clock_;
  std::deque<Clock::Instant> recent_;  // failures within `within_`, oldest first
  Clock::Instant last_{};
  bool failed_before_ = false;
  std::atomic<bool> answered_ = false;
  std::chrono::milliseconds wait_{0};
  bool quarantined_ = false;
};

}  // namespace gantry::host

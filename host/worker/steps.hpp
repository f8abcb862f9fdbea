// host/worker/steps.hpp: the step of a plugin's life (create, start, stop, destroy) that a worker
// is carrying out.
//
// At most one is under way. begin() and run(): the control thread, or the worker's thread in a
// restart; the rest: the worker's thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <gantry/abi/status.h>

#include "host/worker/wire.hpp"
#include "host/worker/worker_link.hpp"

namespace gantry::host::worker {

class Steps {
 public:
  using Time = std::chrono::steady_clock::time_point;
  // How a step ended in the worker; `reason` is the worker's own.
  struct End {
    gantry_status status = GANTRY_FAILED;
    std::string reason;
  };
  using Done = std::function<void(const End&)>;

  explicit Steps(WorkerLink& link) : link_(link) {}

  // Sends a frame with these fields. `done` is called once: on the worker's thread, or at once when
  // there is no process or the frame is too large.
  void begin(FrameType type, std::string_view fields, Time deadline, Done done);
  // The same, and waits for the end. Not on the worker's thread.
  End run(FrameType type, std::string_view fields, Time deadline);
  // The worker's frame `done` for this request; nothing when it is not that of the step.
  void end(std::uint64_t request, const End& end);
  // The process is gone, for the reason `cause`.
  void lose(const std::string& cause);

  // Time::max() when none is under way.
  Time deadline() const;
  // Why the worker is to be killed, when the deadline has passed.
  std::optional<std::string> overdue(Time now) const;

 private:
  struct Step {
    std::uint64_t request = 0;
    const char* name = "";
    Time deadline;
    Done done;
  };

  WorkerLink& link_;
  mutable std::mutex mutex_;
  std::optional<Step> step_;
  std::uint64_t requests_ = 0;
};

}  // namespace gantry::host::worker

// host/worker/reader.hpp: reads the frames of a worker, as long as its process lives.
//
// Also ends a worker that breaks the protocol, stays in a call that is over, or does not finish a
// step of its life in time. The worker's thread.
#pragma once

#include <atomic>
#include <chrono>

#include "host/worker/frame_handler.hpp"
#include "host/worker/steps.hpp"
#include "host/worker/worker_link.hpp"

namespace gantry::host::worker {

class Reader {
 public:
  // All arguments outlive it.
  Reader(WorkerLink& link, WorkerCalls& calls, FrameHandler& frames, Steps& steps,
         Generation& plugin)
      : link_(link), calls_(calls), frames_(frames), steps_(steps), plugin_(plugin) {}

  // Reads from the current process of the link, until it is gone and reaped. Returns its end, as
  // WorkerProcess::cause().
  std::string read_until_end();
  // How many frames `done` of no request this process has sent (wire.hpp). Any thread.
  int milestones() const { return milestones_; }

 private:
  bool read_now(Channel& channel);
  bool take_frames(Channel& channel) noexcept;
  Status take(const Frame& frame);
  void check_times();
  void say_dropped(bool now);
  std::chrono::steady_clock::time_point next_time();

  WorkerLink& link_;
  WorkerCalls& calls_;
  FrameHandler& frames_;
  Steps& steps_;
  Generation& plugin_;
  std::uint64_t life_ = 0;  // of the process
  std::atomic<int> milestones_ = 0;
};

}  // namespace gantry::host::worker

// host/worker/worker_stage.hpp: the stage of a worker's life, across the processes that it has had.
//
//   starting -> serving -> restarting -> serving …
//                          restarting -> quarantined;   every stage -> ending
//
// lost(), wait_for_restart(), not_spawned() and is_restarting(): the worker's thread; the rest: any
// thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "host/base/clock.hpp"
#include "host/plugin/generation.hpp"
#include "host/worker/restart_policy.hpp"

namespace gantry::host {

class WorkerStage {
 public:
  // `clock` outlives it.
  WorkerStage(const WorkerLimits& limits, const Clock& clock) : policy_(limits, clock) {}

  // The plugin has started in the current process. ignored: the worker is ended or quarantined.
  enum class Start { ignored, first, again };
  Start started();

  // The consequence of the end of a process.
  struct Loss {
    bool restarts_at_once = false;
    bool is_wanted = false;  // the worker is not being ended
    bool had_served = false;
    std::string next;  // the rest of a sentence for users
  };
  // The process has ended as `end` says.
  Loss lost(const std::string& end);
  // Waits for the time of the restart. False: there will be none.
  bool wait_for_restart();
  // No process could be started. wait_for_restart() says when to try again.
  void not_spawned();
  bool is_restarting() const;

  // No process is wanted from here on. True if the worker was serving.
  bool end();
  // Waits at most `time` for the end of a process: its end in words. Empty: it has not ended.
  std::string wait_for_end(std::chrono::milliseconds time);
  // Waits for that without a limit.
  std::string wait_for_end();

  // Fills in the mode, the reason and the number of restarts.
  void put_into(Health& health) const;
  // Learns of each answered call.
  RestartPolicy& policy() { return policy_; }

 private:
  enum class Stage { starting, serving, restarting, quarantined, ending };

  RestartPolicy policy_;
  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  Stage stage_ = Stage::starting;
  std::string reason_;  // why it does not serve
  std::string end_;     // of the last process, in words
  std::uint64_t restarts_ = 0;
  std::chrono::milliseconds wait_{0};  // before the restart
};

}  // namespace gantry::host

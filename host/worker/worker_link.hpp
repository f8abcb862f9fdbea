// host/worker/worker_link.hpp: the current process of a worker and the host's end of its socket.
//
// Any thread, but attach() and detach(): the worker's thread, or the control thread before that one
// runs.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "host/worker/channel.hpp"
#include "host/worker/log_budget.hpp"
#include "host/worker/outlet.hpp"
#include "host/worker/process.hpp"
#include "host/worker/restart_policy.hpp"

namespace gantry::host::worker {

class WorkerLink final : public Outlet {
 public:
  struct Process {
    explicit Process(std::unique_ptr<WorkerProcess> started)
        : process(std::move(started)), channel(process->socket()) {}
    std::unique_ptr<WorkerProcess> process;
    Channel channel;
  };

  // `policy` hears of every answer and outlives this, as `clock` does.
  WorkerLink(const WorkerLimits& limits, RestartPolicy& policy, const Clock& clock)
      : policy_(policy), log_budget_(limits.log_bytes, clock) {}

  void attach(std::unique_ptr<WorkerProcess> process);
  void detach();

  // Null while there is no process.
  std::shared_ptr<Process> current() const;
  // Processes are numbered from 1; 0: there was none yet.
  std::uint64_t life() const;
  bool is_alive(std::uint64_t life) const;
  // 0 while there is no process.
  pid_t pid() const;
  // As WorkerProcess::kill(), if there is a process.
  void kill(std::string why);
  LogBudget& log_budget() { return log_budget_; }

  void send(std::uint64_t life, std::string_view frame) override;
  void wake() override;
  void answered() override;
  bool may_log(std::size_t bytes) override;

 private:
  RestartPolicy& policy_;
  LogBudget log_budget_;
  mutable std::mutex mutex_;
  std::shared_ptr<Process> current_;
  std::uint64_t life_ = 0;
};

}  // namespace gantry::host::worker

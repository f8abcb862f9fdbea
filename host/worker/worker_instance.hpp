// host/worker/worker_instance.hpp: a generation whose code runs in a process of its own.
//
// One thread per worker, the reader, reads what it says, ends it when it breaks the rules or stays
// in a call that is over, and brings it back when it is gone. A worker that ends costs the calls
// that were in it an error; those that come while it is restarted at once wait, others are told
// when to try again.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "host/base/clock.hpp"
#include "host/plugin/generation.hpp"
#include "host/worker/channel.hpp"
#include "host/worker/log_budget.hpp"
#include "host/worker/process.hpp"
#include "host/worker/restart_policy.hpp"
#include "host/worker/worker_calls.hpp"

namespace gantry::host {

// What workers are run with. Keeper and clock outlive every instance.
struct WorkerPlace {
  WorkerKeeper& keeper;
  const Clock& clock;
  std::filesystem::path program;  // empty: worker_program()
  // health() is another. On the worker's thread, without locks; must not wait for the loader.
  std::function<void()> changed;
  Trial trial = Trial::none;
  bool walls = true;  // false: this kernel has none
  // For each of create (with the mapping), start and destroy.
  std::chrono::milliseconds step_time{10'000};
};

class WorkerInstance final : public Generation, private worker::Outlet {
 public:
  // `library` is the file to map.
  WorkerInstance(Origin origin, SealedFilePtr library, HostServices& services, LogSink log,
                 WorkerPlace place);
  // Ends the process if that was not done.
  ~WorkerInstance() override;

  Status create() override;
  Status start() override;
  void stop(std::chrono::steady_clock::time_point deadline) override;
  void destroy() override;
  void pin() override {}  // the memory is another process's
  bool close() override;
  Health health() const override;
  // How far its code has got; a trial is named by it.
  bool is_mapped() const { return milestones_ >= 1; }
  bool has_thread_memory() const { return milestones_ >= 2; }
  bool is_destroyed() const { return is_destroyed_; }
  // In a trial, after destroy(), or after create() where only the file is mapped: waits until the
  // process has unloaded the library and is gone. How it ended, as WorkerProcess::cause(). Control
  // thread.
  std::string end_of_trial();

  gantry_status invoke(std::string_view kind, std::string_view name,
                       gantry_call* call) noexcept override;

 private:
  using Time = std::chrono::steady_clock::time_point;
  enum class Stage { starting, serving, restarting, quarantined, ending };

  struct Link {
    explicit Link(std::unique_ptr<WorkerProcess> started)
        : process(std::move(started)), channel(process->socket()) {}
    std::unique_ptr<WorkerProcess> process;
    worker::Channel channel;
  };
  // How create, start, stop or destroy ended in the worker; `reason` is the worker's own.
  struct StepEnd {
    gantry_status status = GANTRY_FAILED;
    std::string reason;
  };
  using StepDone = std::function<void(const StepEnd&)>;
  struct Step {
    std::uint64_t request = 0;
    const char* name = "";
    Time deadline;
    StepDone done;
  };

  // Outlet
  void send(std::uint64_t life, std::string_view frame) override;
  void wake() override;
  void answered() override;
  bool may_log(std::size_t bytes) override;

  Status spawn();
  void begin_step(worker::FrameType type, Time deadline, StepDone done);
  void end_step(std::uint64_t request, const StepEnd& end);
  StepEnd run_step(worker::FrameType type, Time deadline);
  worker::FrameWriter step_frame(worker::FrameType type, std::uint64_t request, Time deadline);
  Status status_of(const char* step, const StepEnd& end);
  void kill(std::string why);

  // The worker's thread.
  void live();
  void read_until_end();
  bool read_now();
  bool take_frames(worker::Channel& channel) noexcept;
  Status take_frame(const worker::Frame& frame);
  void check_times();
  void say_dropped(bool now);
  Time next_time();
  void gone();
  bool come_back();
  void restart();
  void serve();

  const WorkerPlace place_;
  std::atomic<int> milestones_ = 0;  // `done` frames of no request, from this process
  bool is_destroyed_ = false;        // control thread
  const SealedFilePtr library_;
  worker::WorkerCalls calls_;
  RestartPolicy policy_;  // the worker's thread
  LogBudget log_budget_;
  std::thread thread_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Stage stage_ = Stage::starting;
  std::string reason_;  // why it does not serve
  std::string end_;     // of the last process, in words
  std::uint64_t restarts_ = 0;
  std::chrono::milliseconds wait_{0};  // before the restart
  std::optional<Step> step_;
  std::uint64_t steps_ = 0;

  mutable std::mutex link_mutex_;
  std::shared_ptr<Link> link_;  // changed by the worker's thread only, once it runs
  std::uint64_t life_ = 0;      // counts the processes
};

}  // namespace gantry::host

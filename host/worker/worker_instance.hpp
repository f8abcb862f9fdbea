// host/worker/worker_instance.hpp: a generation whose code runs in a process of its own.
//
// A thread of the instance, the worker's thread, reads what the process sends and starts another
// process when it ends. A worker that ends costs the calls that were in it an error; those that
// come while it is restarted at once wait, others are told when to try again.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "host/base/clock.hpp"
#include "host/plugin/generation.hpp"
#include "host/worker/process.hpp"
#include "host/worker/reader.hpp"
#include "host/worker/worker_stage.hpp"

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

class WorkerInstance final : public Generation {
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
  gantry_status invoke(std::string_view kind, std::string_view name,
                       gantry_call* call) noexcept override;

  // How far the plugin's code has got in a trial. Control thread.
  struct Progress {
    bool mapped = false, has_thread_memory = false, destroyed = false;
  };
  Progress progress() const;
  // After destroy(), or after create() where only the file is mapped: waits until the process has
  // unloaded the library and is gone. How it ended, as WorkerProcess::cause().
  std::string end_of_trial();

 private:
  using Time = std::chrono::steady_clock::time_point;

  Status spawn();
  std::string setup();
  Status status_of(const char* step, const worker::Steps::End& end);

  // The worker's thread.
  void gone(const std::string& end);
  bool come_back();
  void restart();
  void serve();

  const WorkerPlace place_;
  const SealedFilePtr library_;
  WorkerStage stage_;
  worker::WorkerLink link_;
  worker::Jobs jobs_;
  worker::WorkerCalls calls_;
  worker::FrameHandler frames_;
  worker::Steps steps_;
  worker::Reader reader_;
  std::thread thread_;
  bool is_destroyed_ = false;  // control thread
};

}  // namespace gantry::host

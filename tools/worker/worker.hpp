// tools/worker/worker.hpp: a plugin in this process, driven by the host at the other end of the
// socket.
#pragma once

#include <string_view>

#include "call.hpp"
#include "host/worker/process.hpp"
#include "main_thread.hpp"
#include "plugin.hpp"
#include "readers.hpp"

namespace gantry::worker {

// The differences of a trial from a worker that serves.
struct Trial {
  host::Trial kind = host::Trial::none;
  bool unloads = false;  // the library is unloaded at the end
};

class Worker {
 public:
  // `link` outlives it.
  Worker(Link& link, Trial trial);

  // Waits for `create`, confines the process as `confinement` says, maps the library, makes the
  // instance and serves until the host closes the socket; then the process ends.
  [[noreturn]] void run(std::string_view confinement);

 private:
  Status set_up(const wire::Frame& first, std::string_view confinement);
  Work work_of(const wire::Frame& frame);
  Work step_of(const wire::Frame& frame);
  Work cancellation_of(const wire::Frame& frame);
  void enter(gantry_call& call);
  [[noreturn]] void end_trial();

  Link& link_;
  const Trial trial_;
  Plugin plugin_;
  Calls calls_;
  MainThread main_;
  Readers readers_;
};

}  // namespace gantry::worker

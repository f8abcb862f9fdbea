// host/worker/jobs.hpp: work of one worker that runs on the pool of calls.
//
// A job may use the objects of its worker until it ends, so these wait for all jobs before they go.
// Any thread.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>

#include <gantry/abi/host.h>

#include "host/plugin/generation.hpp"

namespace gantry::host::worker {

class Jobs {
 public:
  explicit Jobs(HostServices& services) : services_(services) {}

  // Runs `work` on the pool as part of `call` (null: of no call), or at once where the pool takes
  // nothing any more.
  void post(const gantry_call* call, std::function<void()> work);
  // A job that does not end with the function that began it.
  void begin();
  void end();
  // Until no job is under way. Not on a thread of the pool.
  void wait();

 private:
  HostServices& services_;
  std::mutex mutex_;
  std::condition_variable none_;
  int count_ = 0;
};

}  // namespace gantry::host::worker

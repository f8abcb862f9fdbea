// host/worker/nested_calls.hpp: calls that a plugin in a worker makes inside a call.
//
// They run on a thread of the pool, since they may take long, with the rights and the deadline of
// the call above them, which ends after them. take(): the reader of the worker's socket.
#pragma once

#include <cstdint>
#include <memory>

#include "host/worker/worker_calls.hpp"

namespace gantry::host::worker {

class NestedCalls {
 public:
  // All arguments outlive it, and it outlives the jobs.
  NestedCalls(HostServices& services, Generation& plugin, Outlet& outlet, WorkerCalls& calls,
              Jobs& jobs)
      : services_(services), plugin_(plugin), outlet_(outlet), calls_(calls), jobs_(jobs) {}

  // A frame `nested` of the process number `life`, inside the call of `ticket`. The error says how
  // the worker broke the protocol.
  Status take(std::uint64_t life, const Frame& frame, const WorkerCalls::TicketPtr& ticket);

 private:
  using TicketPtr = WorkerCalls::TicketPtr;
  // It has more than twelve members: the frame, its fields, and the reply until it is sent.
  struct Job;

  void run(const std::shared_ptr<Job>& job);
  void start(const std::shared_ptr<Job>& job);

  HostServices& services_;
  Generation& plugin_;
  Outlet& outlet_;
  WorkerCalls& calls_;
  Jobs& jobs_;
};

}  // namespace gantry::host::worker

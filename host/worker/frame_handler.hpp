// host/worker/frame_handler.hpp: carries out the frames that a worker sends about its calls and its
// instance.
//
// All requests of the worker go through the contract's own tables, so that the host's rules are the
// same for plugins in a process of their own. One thread: the reader of the worker's socket.
// Requests that may take long run on the pool (Jobs).
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "host/worker/nested_calls.hpp"
#include "host/worker/worker_calls.hpp"

namespace gantry::host::worker {

class FrameHandler {
 public:
  // All arguments outlive it, and it outlives the jobs.
  FrameHandler(HostServices& services, Generation& plugin, Outlet& outlet, WorkerCalls& calls,
               Jobs& jobs);

  // Carries out a frame of the process number `life`. The error says how the worker broke the
  // protocol.
  Status take(std::uint64_t life, const Frame& frame);

 private:
  using TicketPtr = WorkerCalls::TicketPtr;

  Status take_of_call(const Frame& frame, const TicketPtr& ticket);
  Status ended(const Frame& frame, const TicketPtr& ticket);
  Status wrote(const Frame& frame, Ticket& ticket);
  Status told(const Frame& frame, Ticket& ticket);
  Status asked_input(const Frame& frame, Ticket& ticket);
  Status asked_task(const Frame& frame, Ticket& ticket);
  Status asked_catalog(const Frame& frame, Ticket& ticket);
  Status asked_instance(const Frame& frame);
  Status changed(const Frame& frame);
  Status offered(const Frame& frame);
  void reply(const Frame& to, gantry_status status);
  void reply(const Frame& to, gantry_status status, std::string_view text);

  // Null when the plugin's manifest does not ask for it.
  template <class Table>
  const Table* table(const char* id) const {
    return static_cast<const Table*>(plugin_.service(id));
  }

  HostServices& services_;
  Generation& plugin_;
  Outlet& outlet_;
  WorkerCalls& calls_;
  Jobs& jobs_;
  NestedCalls nested_;
  const gantry_call_api* const api_;
  std::uint64_t life_ = 0;  // of the frame that is carried out
  std::mutex offer_mutex_;
  std::string last_offer_;
};

}  // namespace gantry::host::worker

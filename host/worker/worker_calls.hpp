// host/worker/worker_calls.hpp: the calls in a worker, from their entry to their end.
//
// A worker names a call by its id. The host knows the caller, the deadline and the rights of the
// call and never reads them from a frame. FrameHandler carries out the frames that the worker sends
// about its calls.
//
// Only two things end a call that is inside: a frame of the worker, or the last nested call under
// it where the frame came before. So between two frames a call that was found stays. No lock is
// held while the host's tables run.
//
// Threads: enter(), next_kill() and let_go(): any; open(): the thread that has started the plugin;
// the rest: the reader of the worker's socket.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/abi/abi.h>

#include "host/plugin/generation.hpp"
#include "host/worker/jobs.hpp"
#include "host/worker/outlet.hpp"
#include "host/worker/places.hpp"
#include "host/worker/ticket.hpp"
#include "host/worker/wire.hpp"

namespace gantry::host::worker {

class WorkerCalls {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using TicketPtr = std::shared_ptr<Ticket>;

  // All arguments outlive it.
  WorkerCalls(HostServices& services, Generation& plugin, Outlet& outlet, Jobs& jobs);

  // As Instance::invoke(). A call that finds no place (places.hpp) waits here. Where the plugin is
  // not re-entrant, returns after the call has left the plugin.
  gantry_status enter(std::string_view kind, std::string_view name, gantry_call* call);

  // Calls enter the process number `life` from here on, those that waited first.
  void open(std::uint64_t life);
  // The calls in the worker end with the error `sentence`. New calls wait for the next open() if
  // `may_wait`; otherwise they, and those that wait, end with the error `later`.
  void lose(const std::string& sentence, bool may_wait, const std::string& later);

  // When overdue() has to be asked again; Time::max() for never.
  Time next_kill();
  // A call that has ended in the host and was not left within `worker.kill_after`: why the worker
  // is to be killed.
  std::optional<std::string> overdue(Time now);

  // Null when the worker has no call of this id.
  TicketPtr find(std::uint64_t id);
  // It was sent, and the plugin has not ended it.
  bool is_inside(const Ticket& ticket);
  // invoke() has returned in the worker with `status`; `writes` as in the frame. The error says how
  // the worker broke the protocol.
  Status returned(const TicketPtr& ticket, gantry_status status, std::string_view writes);
  // The plugin has ended a call that is inside. Nested calls under it end first.
  void end(const TicketPtr& ticket, Ticket::Ending ending);
  // A nested call begins under it, and has ended.
  void use(Ticket& ticket);
  void let_go(const TicketPtr& ticket);

 private:
  enum class Gate { closed, waiting, open };

  TicketPtr make_ticket(std::string_view kind, std::string_view name, gantry_call* call);
  void admit(const TicketPtr& ticket);
  void fill_places_locked();
  void cancel(Ticket& ticket);
  void end_unsent(const TicketPtr& ticket, gantry_status status, const std::string& sentence);
  void finish(const TicketPtr& ticket, const Ticket::Ending& ending);
  void remove(Ticket& ticket);

  HostServices& services_;
  Generation& plugin_;
  Outlet& outlet_;
  Jobs& jobs_;
  const gantry_call_api* const api_;

  std::mutex mutex_;
  Gate gate_ = Gate::closed;
  std::string why_closed_;
  std::uint64_t life_ = 0;
  std::map<std::uint64_t, TicketPtr> tickets_;
  Places places_;
};

}  // namespace gantry::host::worker

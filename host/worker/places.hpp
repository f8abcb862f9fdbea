// host/worker/places.hpp: which calls are in a worker, and which wait.
//
// At most `worker.calls` calls are in the worker. Others wait, and the groups of their callers are
// served in turn. A call of a group that has none inside may enter beyond that limit, up to a
// quarter more in all, since calls that came first may stay long. A nested call waits only for the
// worker itself: the call above it may be inside and wait for it.
//
// Not thread-safe: the owner has a lock.
#pragma once

#include <memory>
#include <vector>

#include "host/base/fair_queue.hpp"
#include "host/worker/ticket.hpp"

namespace gantry::host::worker {

class Places {
 public:
  using TicketPtr = std::shared_ptr<Ticket>;

  explicit Places(int calls) : calls_(calls) {}

  void add(const TicketPtr& ticket);
  // Takes out a ticket that waits no longer.
  void remove(const TicketPtr& ticket);
  // The next call that may enter; it is inside from here on. Null while there is none.
  TicketPtr next();
  // Ends the stay of a ticket that was inside.
  void leave(const Ticket& ticket);
  // All that wait, so that they can be refused.
  std::vector<TicketPtr> take_waiting();

 private:
  const int calls_;
  int inside_ = 0;
  std::vector<TicketPtr> nested_;
  FairQueue<TicketPtr> others_;  // and how many of each group are inside
};

}  // namespace gantry::host::worker

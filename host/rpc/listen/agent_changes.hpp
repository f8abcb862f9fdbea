// host/rpc/listen/agent_changes.hpp (private): what a changed agents file means to open clients.
//
// Any thread. Functions throw only std::bad_alloc.
#pragma once

#include <vector>

#include "host/auth/principal.hpp"
#include "host/bus/event.hpp"
#include "host/calls/calls.hpp"
#include "host/registry/snapshot.hpp"

namespace gantry::host::rpc {

// The principals after a change: those that no credential leads to any more, and the agents of the
// others.
struct AgentChanges {
  const PrincipalNames& withdrawn;
  const AgentsByName& agents;
  const Calls& calls;
  const Snapshot& snapshot;

  // The lists that `before` and `after` see differently.
  std::vector<Event::Kind> lists(const Agent& before, const Agent& after) const;
  // The agent that this principal has now; null: unchanged, or not known here.
  AgentPtr successor(std::string_view principal, const AgentPtr& before) const;
};

}  // namespace gantry::host::rpc

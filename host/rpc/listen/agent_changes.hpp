// host/rpc/listen/agent_changes.hpp (private): what changed credentials mean to open clients.
//
// Any thread. Functions throw only std::bad_alloc.
#pragma once

#include <vector>

#include "host/auth/principal.hpp"
#include "host/bus/event.hpp"
#include "host/calls/calls.hpp"
#include "host/registry/snapshot.hpp"

namespace gantry::host::rpc {

struct AgentChanges {
  const ChangedAgents& now;
  const Calls& calls;
  const Snapshot& snapshot;

  bool is_withdrawn(std::string_view principal) const { return now.withdrawn.contains(principal); }
  // The lists that `before` and `after` see differently.
  std::vector<Event::Kind> lists(const Agent& before, const Agent& after) const;
  // The agent that this principal has now; null: unchanged, or not known here.
  AgentPtr successor(std::string_view principal, const AgentPtr& before) const;
};

}  // namespace gantry::host::rpc

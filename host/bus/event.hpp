// host/bus/event.hpp: one change, as plain data.
#pragma once

#include <string>
#include <vector>

#include "sdk/contract/words.hpp"

namespace gantry::host {

using contract::Tier;

struct Event {
  enum class Kind {    // the lists first
    tools_listed,      // a list of tools changed
    prompts_listed,    // … of prompts
    resources_listed,  // … of resources or templates
    resource_updated,  // `uri`; `metadata`, `deleted`
    task_changed,      // `task`, for `owner` alone; `json`: the whole task object
  };
  // An item that was added, removed or changed. Only agents allowed to see it are notified.
  struct Seen {
    std::string name;
    Tier tier = Tier::readonly;
    bool scoped = false;  // a template that lists other resources for other callers
    bool operator==(const Seen&) const = default;
  };

  Kind kind = Kind::tools_listed;
  std::vector<Seen>
      seen;              // of list changes; empty: all agents are notified, or those of `audience`
  std::string uri;       // of a resource
  std::string metadata;  // JSON object or empty
  bool deleted = false;  // the resource is gone
  // True for an update whose subscribers see different things. `audience`: the fingerprint of the
  // scope that an update or a change of lists concerns (Agent::fingerprint); empty: for what is
  // scoped, rpc/listen/scoped_updates.hpp and scoped_lists.hpp find them out.
  bool scoped = false;
  std::string audience;
  std::string task, owner;  // of a task: its id and its principal
  std::string json;
};

}  // namespace gantry::host

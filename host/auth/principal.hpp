// host/auth/principal.hpp: an authenticated caller.
//
// Immutable once made; any thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "host/auth/agent.hpp"

namespace gantry::host {

// Its agent profile and its name, which owns sessions, tasks, sealed states, subscriptions and
// exports. The name holds the agent's binding: when the profile's rights change, the principal is
// another one, and what the former owned is out of reach.
struct Principal {
  AgentPtr agent;
  std::string name;       // equal for all requests of one credential with the same rights
  std::string auth_type;  // "none", "api_key" or "jwt"
};
using PrincipalPtr = std::shared_ptr<const Principal>;

using PrincipalNames = std::set<std::string, std::less<>>;
using AgentsByName = std::map<std::string, AgentPtr, std::less<>>;  // by the principal's name

// The principal that came in by `credential`: a name without a secret, unique among all. The agent
// is shared with it as Agent::principal.
PrincipalPtr make_principal(Agent agent, std::string credential, std::string auth_type);

}  // namespace gantry::host

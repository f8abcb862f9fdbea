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
#include "host/auth/token_check.hpp"

namespace gantry::host {

// Its agent profile and its name, which owns sessions, tasks, sealed states, subscriptions and
// exports. The name holds the agent's binding: when the profile's rights change, the principal is
// another one, and what the former owned is out of reach.
struct Principal {
  AgentPtr agent;
  std::string name;       // equal for all requests of one credential with the same rights
  std::string auth_type;  // "none", "api_key" or "jwt"
  // What a token was granted; null if the credential is no token.
  std::shared_ptr<const TokenGrant> token{};
  // Bound by the credential: the correlation id of all its requests. Empty: none.
  std::string correlation_id{};
};
using PrincipalPtr = std::shared_ptr<const Principal>;

using PrincipalNames = std::set<std::string, std::less<>>;
using AgentsByName = std::map<std::string, AgentPtr, std::less<>>;

// What a change of the credentials means to the callers that have something open.
struct ChangedAgents {
  PrincipalNames withdrawn{};  // no credential leads to them any more, or not to the same rights
  AgentsByName agents{};       // of all keys now, by the principal's name
  AgentsByName profiles{};     // by the profile's name: tokens act as them
};

// The principal that came in by `credential`: a name without a secret, unique among all. The agent
// is shared with it as Agent::principal.
// `correlation_id`: what the credential binds, or empty.
PrincipalPtr make_principal(const AgentPtr& profile, std::string credential, std::string auth_type,
                            std::string correlation_id = {});
// The same with an agent that is not shared yet.
PrincipalPtr make_principal(Agent agent, std::string credential, std::string auth_type,
                            std::shared_ptr<const TokenGrant> token = nullptr,
                            std::string correlation_id = {});

// The agent of a token, now that its profile is another one: what the token says stays. Null: it
// sees the same as before.
AgentPtr with_profile(const Agent& agent, const Agent& profile);

}  // namespace gantry::host

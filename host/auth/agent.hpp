// host/auth/agent.hpp: the agent profile that a request acts as, and its narrowing for nested
// calls.
//
// An Agent comes from the credential alone; nothing in arguments or _meta changes it. Immutable
// once shared; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

#include "sdk/contract/words.hpp"

namespace gantry::host {

using contract::Tier;

// An allow and a deny list; `except` wins over `only`. Without `only` everything else is allowed.
struct NameFilter {
  std::optional<std::vector<std::string>> only;
  std::vector<std::string> except;

  bool allows(std::string_view name) const;
  bool operator==(const NameFilter&) const = default;
};

// Row filters of one layer, as JSON texts of the query language: by class, and "default" for all.
// Layers are AND-ed; `narrowed` adds one.
struct FilterLayer {
  std::string json;                  // {"Order": {…}, "default": {…}}
  std::vector<std::string> summary;  // "Order.status", "default.region": names only, for people
  bool operator==(const FilterLayer&) const = default;
};

struct RateLimit {
  std::size_t calls = 60;
  std::size_t seconds = 60;
  bool operator==(const RateLimit&) const = default;
};

// The calls that need a person's approval.
struct Approval {
  // The first answer of the client's user or an operator decides, or operators alone do.
  enum class By { client, operators };

  std::vector<Tier> tiers;
  std::vector<std::string> tools;
  std::vector<std::string> methods;  // "name" or "Class.name"
  std::optional<std::size_t> rows;   // calls that change more rows than this
  By by = By::client;

  bool empty() const { return tiers.empty() && tools.empty() && methods.empty() && !rows; }
  bool operator==(const Approval&) const = default;
};

// It has more than twelve members: a profile is one value. Fill in the members, then share().
struct Agent {
  std::string name = "local";
  Tier tier = Tier::readonly;
  std::optional<std::string> user;
  std::vector<std::string> roles;
  std::optional<std::string> tenant_id;
  NameFilter tools;
  NameFilter classes;
  NameFilter methods;
  std::vector<FilterLayer> filters;
  std::optional<std::size_t> cap_rows, cap_bytes;
  std::optional<RateLimit> rate_limit;  // nothing: unlimited
  Approval approval;
  bool agent_debug = false;
  bool sql = true;            // may write SQL of its own
  bool metrics = false;       // may read /metrics
  bool remote_admin = false;  // an admin that may come from beyond loopback
  bool strict_tools = false, strict_classes = false;
  int depth = 0;  // how often this agent was narrowed; at most 4
  // The name of the credential that it came from (Principal::name), without a secret; empty: none.
  std::string principal;
  std::string id, parent_id;  // of one narrowed agent: random; empty for the client's own

  // Made by share(). `scope` is the property "agent_scope" as JSON. `fingerprint` is equal for two
  // agents only if they see the same: 16 hex digits over all that decides it. `binding` leaves out
  // what each call checks anew, tier, tools and methods: a session survives their change, and no
  // other one.
  std::string scope, fingerprint, binding;
  std::string cap_bytes_text;  // cap_bytes in decimal; empty: none

  // It has no identity: neither a user nor roles.
  bool is_master() const { return !user && roles.empty(); }

  // A list entry of `methods` is "name" or "Class.name".
  bool allows_method(std::string_view class_name, std::string_view name) const;

  // As the contract's property "agent" shows it: {name, permissions, user?, role?, tenant_id?,
  // depth, classes?, limits? {rows?, calls?, seconds?}}.
  std::string to_json() const;

  // The agent of a nested call with `narrowing` (invoke.h: {permissions?, tools?, classes?,
  // methods?, filters?}). It allows a thing only if this agent and the narrowing do: `only` lists
  // intersect, `except` lists unite, filters are one more layer; all else is inherited.
  // GANTRY_DENIED: it requests more than this agent has, or is the fifth level.
  // GANTRY_INVALID_ARGUMENT: the text is not such an object, or its lists leave nothing. A
  // narrowing without "permissions" is readonly.
  Result<std::shared_ptr<const Agent>> narrowed(std::string_view narrowing) const;
};

using AgentPtr = std::shared_ptr<const Agent>;

// Makes the derived members and shares the agent, which nothing changes any more.
AgentPtr share(Agent agent);
// A copy of the agent for the credential `principal`. Many keys act as one profile: the digests of
// the profile are copied, and only the scope is made again.
AgentPtr with_principal(const Agent& shared, std::string principal);

}  // namespace gantry::host

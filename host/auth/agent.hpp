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

struct Agent {
  std::string name = "local";
  Tier tier = Tier::readonly;
  std::optional<std::string> user;
  std::vector<std::string> roles;
  std::optional<std::string> tenant_id;
  NameFilter tools;
  NameFilter classes;
  int depth = 0;  // how often this agent was narrowed; at most 4

  // As the contract's property "agent" shows it: {name, permissions, user?, role?, tenant_id?,
  // depth, classes?}.
  std::string to_json() const;

  // The agent of a nested call with `narrowing` (invoke.h: {permissions?, tools?, classes?}).
  // GANTRY_DENIED: it requests more than this agent has, or is the fifth level.
  // GANTRY_INVALID_ARGUMENT: the text is not such an object, or its lists leave nothing. A
  // narrowing without "permissions" is readonly.
  Result<std::shared_ptr<const Agent>> narrowed(std::string_view narrowing) const;
};

using AgentPtr = std::shared_ptr<const Agent>;

}  // namespace gantry::host

// policy/agent_scope.hpp: what an agent's profile says about data, as the host hands it over.
//
// The property "agent_scope" of a call:
//
//   {"agent","principal"?,"depth","permissions","user"?,"roles"?,"tenant_id"?,"classes"?:{only?,except?},
//    "filters"?:[{CLASS: filter, "default": filter}, …],"caps"?:{"rows"?},"sql"?,"fingerprint"}
//
// An agent with neither a user nor roles is the master: class permissions and row ACLs do not bind
// it. Plain data; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

#include "policy/class_filter.hpp"
#include "values/value.hpp"

namespace gantry::data {

struct AgentScope {
  std::string tier = "readonly";
  std::optional<std::string> user;
  std::optional<std::vector<std::string>> roles;  // with those that they inherit
  std::optional<std::string> tenant_id;
  ClassFilterPtr classes;                 // null: all
  std::vector<Value> filters;             // layers, all AND-ed: objects of filters by class
  std::optional<std::uint64_t> cap_rows;  // of one answer
  bool sql = true;                        // statements of its own may be run
  // Equal for two agents that see the same.
  std::string fingerprint;

  bool is_master() const { return !user && !roles; }
};

// GANTRY_INVALID_ARGUMENT: the text is no such object. It names the member, never its value. A
// member that is not known is refused too: it could narrow.
Result<AgentScope> parse_agent_scope(std::string_view json);

}  // namespace gantry::data

// policy/rules.hpp: what one agent may see, compiled once from its profile.
//
// The agent's side of the rules; the model's side is ClassInfo::rules, and policy/class_access.hpp
// brings both together for a class. Every cache that holds what an agent saw is keyed by
// fingerprint(). Immutable; any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "policy/agent_scope.hpp"
#include "policy/class_filter.hpp"

namespace gantry::data {

class Rules {
 public:
  // A master of these classes (null: all), without a tenant. The rules of the model apply to it.
  explicit Rules(ClassFilterPtr classes = {});
  explicit Rules(AgentScope agent);
  // The engine's own reads, and the rows that the operator's filters are compiled against: no rule
  // applies but the floor.
  static std::shared_ptr<const Rules> of_engine();

  bool is_of_engine() const { return is_of_engine_; }
  const AgentScope& agent() const { return agent_; }
  // The agent belongs to a group of the model: "*", "authenticated", "role:x", or a user. A master
  // belongs to none.
  bool is_in_group(std::string_view group) const;
  // Whether the agent's own list allows the class.
  bool lists_class(std::string_view name) const {
    return !agent_.classes || agent_.classes->allows(name);
  }
  // Equal for two agents that see the same; empty: a master of all classes.
  const std::string& fingerprint() const { return fingerprint_; }

 private:
  AgentScope agent_;
  bool is_of_engine_ = false;
  std::string fingerprint_;
};

using RulesPtr = std::shared_ptr<const Rules>;

}  // namespace gantry::data

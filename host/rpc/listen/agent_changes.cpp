#include "host/rpc/listen/agent_changes.hpp"

#include <algorithm>

namespace gantry::host::rpc {

std::vector<Event::Kind> AgentChanges::lists(const Agent& before, const Agent& after) const {
  const auto differs = [&](const std::vector<ItemPtr>& items) {
    return std::any_of(items.begin(), items.end(), [&](const ItemPtr& item) {
      return calls.denied(before, *item).has_value() != calls.denied(after, *item).has_value();
    });
  };
  std::vector<Event::Kind> out;
  if (differs(snapshot.tools) || differs(snapshot.methods))
    out.push_back(Event::Kind::tools_listed);
  if (differs(snapshot.prompts)) out.push_back(Event::Kind::prompts_listed);
  if (differs(snapshot.resources) || differs(snapshot.templates))
    out.push_back(Event::Kind::resources_listed);
  return out;
}

AgentPtr AgentChanges::successor(std::string_view principal, const AgentPtr& before) const {
  const auto found = now.agents.find(principal);
  if (found != now.agents.end()) return found->second == before ? nullptr : found->second;
  const auto profile = now.profiles.find(before->name);
  return profile == now.profiles.end() ? nullptr : with_profile(*before, *profile->second);
}

}  // namespace gantry::host::rpc

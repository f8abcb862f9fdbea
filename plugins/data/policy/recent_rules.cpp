#include "policy/recent_rules.hpp"

#include <utility>

namespace gantry::data {

Result<RulesPtr> RecentRules::of(std::string_view agent_scope) {
  if (RulesPtr known = find(agent_scope)) return known;
  auto scope = parse_agent_scope(agent_scope);
  if (!scope) return scope.status();
  auto rules = std::make_shared<const Rules>(std::move(*scope));
  keep(agent_scope, rules);
  return RulesPtr(std::move(rules));
}

RulesPtr RecentRules::find(std::string_view text) {
  const std::lock_guard lock(mutex_);
  const RulesPtr* const known = rules_.find(text);
  return known == nullptr ? nullptr : *known;
}

void RecentRules::keep(std::string_view text, const RulesPtr& rules) {
  if (text.size() > kMostBytes) return;
  const std::lock_guard lock(mutex_);
  rules_.put(std::string(text), rules);
}

}  // namespace gantry::data

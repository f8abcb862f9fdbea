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
  const auto known = by_text_.find(text);
  if (known == by_text_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, known->second);
  return known->second->rules;
}

void RecentRules::keep(std::string_view text, const RulesPtr& rules) {
  if (text.size() > kMostBytes) return;
  const std::lock_guard lock(mutex_);
  if (by_text_.count(text) > 0) return;  // another call was faster
  entries_.push_front({std::string(text), rules});
  by_text_.emplace(entries_.front().text, entries_.begin());
  if (entries_.size() <= kMost) return;
  by_text_.erase(entries_.back().text);
  entries_.pop_back();
}

}  // namespace gantry::data

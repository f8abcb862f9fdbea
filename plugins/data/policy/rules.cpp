#include "policy/rules.hpp"

#include <algorithm>
#include <utility>

#include "values/extended_json.hpp"

namespace gantry::data {
namespace {

// Each text with its length in front, so that no two lists have one text.
void add_part(std::string_view text, std::string& to) {
  to.append(std::to_string(text.size())).append(":").append(text);
}

void add_optional(char name, const std::optional<std::string>& text, std::string& to) {
  if (!text) return;
  to += name;
  add_part(*text, to);
}

// Everything that decides what the agent sees. The host's fingerprint is part of it, and not
// trusted alone.
std::string decisive_text(const AgentScope& agent) {
  std::string text;
  add_part(agent.fingerprint, text);
  add_part(agent.tier, text);
  add_optional('u', agent.user, text);
  if (agent.roles) {
    text += 'r';
    for (const std::string& role : *agent.roles) add_part(role, text);
  }
  add_optional('t', agent.tenant_id, text);
  if (agent.classes) add_part(agent.classes->text(), text);
  for (const Value& layer : agent.filters) {
    std::string json;
    append_value_json(layer, JsonDialect::extended, json);
    add_part(json, text += 'f');
  }
  if (agent.cap_rows) text.append("c").append(std::to_string(*agent.cap_rows));
  return text;
}

}  // namespace

Rules::Rules(ClassFilterPtr classes) {
  if (classes) fingerprint_ = classes->text();
  agent_.classes = std::move(classes);
}

Rules::Rules(AgentScope agent) : agent_(std::move(agent)), fingerprint_(decisive_text(agent_)) {}

RulesPtr Rules::of_engine() {
  static const RulesPtr kEngine = [] {
    auto rules = std::make_shared<Rules>();
    rules->is_of_engine_ = true;
    rules->fingerprint_ = "engine";
    return rules;
  }();
  return kEngine;
}

bool Rules::is_in_group(std::string_view group) const {
  if (agent_.is_master()) return false;
  if (group == "*") return true;
  if (group == "authenticated") return agent_.user.has_value();
  constexpr std::string_view kRole = "role:";
  if (!group.starts_with(kRole)) return agent_.user && *agent_.user == group;
  return agent_.roles && std::find(agent_.roles->begin(), agent_.roles->end(),
                                   group.substr(kRole.size())) != agent_.roles->end();
}

}  // namespace gantry::data

#include "host/auth/agent.hpp"

#include <algorithm>
#include <utility>

#include "host/auth/digest.hpp"
#include "host/auth/name_filter.hpp"
#include "host/base/json.hpp"

namespace gantry::host {
namespace {

constexpr std::size_t kFingerprintDigits = 16;

void append_list(std::string& out, std::string_view member, const NameFilter& filter) {
  if (filter == NameFilter{}) return;
  append_name(out, member);
  append_filter(out, filter);
}

// What the caller is told of its limits; the cap on bytes is a property of each call.
void append_limits(std::string& out, const Agent& agent) {
  if (!agent.cap_rows && !agent.rate_limit) return;
  std::string limits = "{";
  if (agent.cap_rows) append_json_member(limits, "rows", std::to_string(*agent.cap_rows));
  if (agent.rate_limit) {
    append_json_member(limits, "calls", std::to_string(agent.rate_limit->calls));
    append_json_member(limits, "seconds", std::to_string(agent.rate_limit->seconds));
  }
  append_json_member(out, "limits", limits + "}");
}

// What decides the visible classes, fields and rows: an open object. Equal sets give equal texts,
// since all lists are sorted.
std::string rights_of(const Agent& agent) {
  std::string out = "{";
  if (agent.user) append_text_member(out, "user", *agent.user);
  if (!agent.roles.empty()) {
    append_name(out, "roles");
    append_names(out, agent.roles);
  }
  if (agent.tenant_id) append_text_member(out, "tenant_id", *agent.tenant_id);
  append_list(out, "classes", agent.classes);
  if (!agent.filters.empty()) {
    append_name(out, "filters");
    out += '[';
    for (const FilterLayer& layer : agent.filters) {
      if (out.back() != '[') out += ',';
      out += layer.json;
    }
    out += ']';
  }
  if (agent.cap_rows)
    append_json_member(out, "caps", "{\"rows\":" + std::to_string(*agent.cap_rows) + "}");
  if (!agent.sql) append_json_member(out, "sql", "false");
  append_json_member(out, "agent_debug", agent.agent_debug ? "true" : "false");
  return out;
}

// The rights that the host itself looks at.
std::string host_rights_of(const Agent& agent) {
  std::string out = "{";
  append_list(out, "tools", agent.tools);
  append_list(out, "methods", agent.methods);
  return out;
}

std::string scope_of(const Agent& agent, const std::string& rights) {
  std::string out = "{";
  append_text_member(out, "agent", agent.name);
  if (!agent.principal.empty()) append_text_member(out, "principal", agent.principal);
  append_json_member(out, "depth", std::to_string(agent.depth));
  append_text_member(out, "permissions", tier_name(agent.tier));
  out += ',';
  out += std::string_view(rights).substr(1);
  append_text_member(out, "fingerprint", agent.fingerprint);
  return out + '}';
}

void sort(NameFilter& filter) {
  const auto each_once = [](std::vector<std::string>& names) {
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
  };
  if (filter.only) each_once(*filter.only);
  each_once(filter.except);
}

}  // namespace

bool NameFilter::allows(std::string_view name) const {
  const auto has = [name](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return !has(except) && (!only || has(*only));
}

bool Agent::allows_method(std::string_view class_name, std::string_view method) const {
  return !has_method(methods.except, class_name, method) &&
         (!methods.only || has_method(*methods.only, class_name, method));
}

std::string Agent::to_json() const {
  std::string out = "{";
  append_text_member(out, "name", name);
  append_text_member(out, "permissions", tier_name(tier));
  if (user) append_text_member(out, "user", *user);
  if (!roles.empty()) {
    append_name(out, "role");
    append_names(out, roles);
  }
  if (tenant_id) append_text_member(out, "tenant_id", *tenant_id);
  append_json_member(out, "depth", std::to_string(depth));
  append_list(out, "classes", classes);
  append_limits(out, *this);
  out += '}';
  return out;
}

AgentPtr share(Agent agent) {
  for (NameFilter* filter : {&agent.tools, &agent.classes, &agent.methods}) sort(*filter);
  const std::string rights = rights_of(agent), host_rights = host_rights_of(agent);
  agent.fingerprint = digest_of({tier_name(agent.tier), rights, host_rights});
  agent.fingerprint.resize(kFingerprintDigits);
  agent.binding = digest_of({rights});
  agent.binding.resize(kFingerprintDigits);
  agent.scope = scope_of(agent, rights);
  if (agent.cap_bytes) agent.cap_bytes_text = std::to_string(*agent.cap_bytes);
  return std::make_shared<const Agent>(std::move(agent));
}

AgentPtr with_principal(const Agent& shared, std::string principal) {
  auto agent = std::make_shared<Agent>(shared);
  agent->principal = std::move(principal);
  agent->scope = scope_of(*agent, rights_of(*agent));
  return agent;
}

}  // namespace gantry::host

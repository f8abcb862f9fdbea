#include "host/auth/agents/profile_json.hpp"

#include <map>
#include <set>

#include <rapidjson/document.h>

#include "host/auth/digest.hpp"
#include "host/base/json.hpp"

namespace gantry::host {
namespace {

using Names = std::vector<std::string>;

std::string names_json(const Names& names) {
  std::string out = "[";
  for (const auto& name : names) {
    if (out.back() != '[') out += ',';
    append_json_string(out, name);
  }
  return out + "]";
}

// The members of a list, without the closing brace.
std::string open_list(const NameFilter& filter) {
  std::string out = "{";
  if (filter.only) append_json_member(out, "only", names_json(*filter.only));
  if (!filter.except.empty()) append_json_member(out, "except", names_json(filter.except));
  return out;
}

std::string auth_json(const Agent& agent) {
  std::string out = "{";
  append_text_member(out, "mode", profile_mode(agent));
  if (agent.user) append_text_member(out, "fingerprint", fingerprint_of(*agent.user));
  return out + "}";
}

std::string filters_json(const Agent& agent, const std::string& only_class) {
  std::map<std::string, Names> by_class;
  for (const auto& layer : agent.filters) {
    rapidjson::Document document;
    document.Parse(layer.json.data(), layer.json.size());
    if (document.HasParseError() || !document.IsObject()) continue;
    for (const auto& entry : document.GetObject()) {
      const std::string name(entry.name.GetString(), entry.name.GetStringLength());
      if (!only_class.empty() && name != only_class && name != "default") continue;
      auto& fields = by_class[name];
      for (const auto& field : layer.summary) {
        if (field.starts_with(name + ".")) fields.push_back(field.substr(name.size() + 1));
      }
    }
  }
  std::string out = "{";
  for (const auto& [name, fields] : by_class) append_json_member(out, name, names_json(fields));
  return out + "}";
}

// By the profile itself, and by the model.
Names hidden_classes(const Agent& agent, const Names& by_model) {
  std::set<std::string> names(by_model.begin(), by_model.end());
  names.insert(agent.classes.except.begin(), agent.classes.except.end());
  return {names.begin(), names.end()};
}

std::string rate_json(const Agent& agent) {
  if (!agent.rate_limit) return "\"unlimited\"";
  return "{\"calls\":" + std::to_string(agent.rate_limit->calls) +
         ",\"seconds\":" + std::to_string(agent.rate_limit->seconds) + "}";
}

std::string caps_json(const Agent& agent) {
  std::string out = "{";
  if (agent.cap_rows) append_json_member(out, "rows", std::to_string(*agent.cap_rows));
  if (agent.cap_bytes) append_json_member(out, "bytes", std::to_string(*agent.cap_bytes));
  return out + "}";
}

std::string tools_json(const Agent& agent, const std::optional<Names>& effective) {
  std::string out = open_list(agent.tools);
  if (effective) append_json_member(out, "effective", names_json(*effective));
  return out + "}";
}

std::string approval_json_of(const Approval& approval) {
  Names tiers;
  for (const Tier tier : approval.tiers) tiers.emplace_back(contract::tier_name(tier));
  std::string out = "{";
  append_json_member(out, "tiers", names_json(tiers));
  append_json_member(out, "tools", names_json(approval.tools));
  append_json_member(out, "methods", names_json(approval.methods));
  if (approval.rows) append_json_member(out, "rows", std::to_string(*approval.rows));
  append_text_member(out, "by", approval.by == Approval::By::client ? "client" : "operators");
  return out + "}";
}

}  // namespace

std::string_view profile_mode(const Agent& agent) {
  if (agent.user) return "user";
  return agent.is_master() ? "master" : "roles";
}

std::string profile_json(const Agent& agent, const ProfileMore& more) {
  std::string out = "{";
  append_text_member(out, "agent", agent.name);
  append_text_member(out, "permissions", contract::tier_name(agent.tier));
  append_json_member(out, "auth", auth_json(agent));
  if (agent.tenant_id) append_text_member(out, "tenant_id", fingerprint_of(*agent.tenant_id));
  if (!agent.roles.empty()) append_json_member(out, "roles", names_json(agent.roles));
  append_json_member(out, "classes", open_list(agent.classes) + "}");
  append_json_member(out, "tools", tools_json(agent, more.effective));
  append_json_member(out, "methods", open_list(agent.methods) + "}");
  append_json_member(out, "filters", filters_json(agent, more.only_class));
  append_json_member(out, "hidden_classes", names_json(hidden_classes(agent, more.hidden)));
  append_json_member(out, "strict",
                     std::string("{\"tools\":") + (agent.strict_tools ? "true" : "false") +
                         ",\"classes\":" + (agent.strict_classes ? "true" : "false") + "}");
  append_json_member(out, "sql", agent.sql ? "true" : "false");
  append_json_member(out, "rate_limit", rate_json(agent));
  append_json_member(out, "caps", caps_json(agent));
  if (!agent.approval.empty())
    append_json_member(out, "approval", approval_json_of(agent.approval));
  if (!more.class_layers.empty()) append_json_member(out, "class_layers", more.class_layers);
  if (!more.gates.empty()) append_json_member(out, "gates", more.gates);
  return out + "}";
}

}  // namespace gantry::host

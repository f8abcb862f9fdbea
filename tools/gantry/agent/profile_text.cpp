#include "tools/gantry/agent/profile_text.hpp"

#include <map>

#include "host/auth/keys/key_text.hpp"
#include "host/base/json.hpp"
#include "tools/gantry/agent/gates.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli {
namespace {

using host::append_json_member;
using host::append_name;
using host::append_text_member;
using NameRow = std::vector<std::string>;

std::string fingerprint(const std::string& text) {
  constexpr std::size_t kDigits = 8;
  return host::key_hash(text).substr(0, kDigits);
}

std::string json_names(const NameRow& names) {
  std::string out = "[";
  for (const auto& name : names) {
    if (out.back() != '[') out += ',';
    host::append_json_string(out, name);
  }
  return out + "]";
}

// The members of a list, without the braces.
std::string list_members(const host::NameFilter& filter) {
  std::string out = "{";
  if (filter.only) append_json_member(out, "only", json_names(*filter.only));
  if (!filter.except.empty()) append_json_member(out, "except", json_names(filter.except));
  return out;
}

std::string mode_of(const host::Agent& agent) {
  if (agent.user) return "user";
  return agent.roles.empty() ? "master" : "roles";
}

std::string auth_json(const host::Agent& agent) {
  std::string out = "{";
  append_text_member(out, "mode", mode_of(agent));
  if (agent.user) append_text_member(out, "fingerprint", fingerprint(*agent.user));
  return out + "}";
}

std::string filters_json(const host::Agent& agent, const std::string& only_class) {
  std::map<std::string, NameRow> by_class;
  for (const auto& layer : agent.filters) {
    const auto document = parsed(layer.json);
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
  for (const auto& [name, fields] : by_class) append_json_member(out, name, json_names(fields));
  return out + "}";
}

std::string rate_json(const host::Agent& agent) {
  if (!agent.rate_limit) return "\"unlimited\"";
  return "{\"calls\":" + std::to_string(agent.rate_limit->calls) +
         ",\"seconds\":" + std::to_string(agent.rate_limit->seconds) + "}";
}

std::string caps_json(const host::Agent& agent) {
  std::string out = "{";
  if (agent.cap_rows) append_json_member(out, "rows", std::to_string(*agent.cap_rows));
  if (agent.cap_bytes) append_json_member(out, "bytes", std::to_string(*agent.cap_bytes));
  return out + "}";
}

std::string tools_json(const host::Agent& agent, const rapidjson::Value* effective) {
  std::string out = list_members(agent.tools);
  if (effective == nullptr) return out + "}";
  NameRow names;
  for (const auto& tool : (*effective)["tools"].GetArray()) names.push_back(text_at(tool, "name"));
  append_json_member(out, "effective", json_names(names));
  return out + "}";
}

std::string shown_list(const host::NameFilter& filter) {
  std::string out = filter.only ? std::to_string(filter.only->size()) + " only" : "all";
  if (!filter.except.empty()) out += ", " + std::to_string(filter.except.size()) + " except";
  return out;
}

std::string rate_text(const host::Agent& agent) {
  if (!agent.rate_limit) return "unlimited";
  return std::to_string(agent.rate_limit->calls) + " in " +
         std::to_string(agent.rate_limit->seconds) + " s";
}

}  // namespace

std::string describe_json(const host::Agent& agent, const rapidjson::Value* effective,
                          const std::string& only_class) {
  std::string out = "{";
  append_text_member(out, "agent", agent.name);
  append_text_member(out, "permissions", tier_name(agent.tier));
  append_json_member(out, "auth", auth_json(agent));
  if (agent.tenant_id) append_text_member(out, "tenant_id", fingerprint(*agent.tenant_id));
  if (!agent.roles.empty()) append_json_member(out, "roles", json_names(agent.roles));
  append_json_member(out, "classes", list_members(agent.classes) + "}");
  append_json_member(out, "tools", tools_json(agent, effective));
  append_json_member(out, "methods", list_members(agent.methods) + "}");
  append_json_member(out, "filters", filters_json(agent, only_class));
  append_json_member(out, "hidden_classes", json_names(agent.classes.except));
  append_json_member(out, "strict",
                     std::string("{\"tools\":") + (agent.strict_tools ? "true" : "false") +
                         ",\"classes\":" + (agent.strict_classes ? "true" : "false") + "}");
  append_json_member(out, "sql", agent.sql ? "true" : "false");
  append_json_member(out, "rate_limit", rate_json(agent));
  append_json_member(out, "caps", caps_json(agent));
  append_json_member(out, "gates", gates_json(operator_gates()));
  return out + "}";
}

std::string json_of(const host::AgentsFile& file) {
  std::string out = "{\"agents\":[";
  for (const auto& [name, agent] : file.agents) {
    if (out.back() != '[') out += ',';
    out += describe_json(*agent, nullptr);
  }
  return out + "]}";
}

std::string profile_table(const host::AgentsFile& file) {
  std::vector<NameRow> rows = {
      {"AGENT", "PERMISSIONS", "ACTS AS", "TENANT", "TOOLS", "CLASSES", "RATE"}};
  for (const auto& [name, agent] : file.agents) {
    rows.push_back({printable(name), std::string(tier_name(agent->tier)), mode_of(*agent),
                    agent->tenant_id ? fingerprint(*agent->tenant_id) : "none",
                    shown_list(agent->tools), shown_list(agent->classes), rate_text(*agent)});
  }
  return table(rows);
}

}  // namespace gantry::cli

#include "tools/gantry/agent/profile_text.hpp"

#include "host/auth/digest.hpp"
#include "tools/gantry/agent/gates.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli {
namespace {

using NameRow = std::vector<std::string>;

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

std::string describe_json(const host::Agent& agent, host::ProfileMore more) {
  more.gates = gates_json(operator_gates());
  return host::profile_json(agent, more);
}

std::string json_of(const host::AgentsFile& file) {
  std::string out = "{\"agents\":[";
  for (const auto& [name, agent] : file.agents) {
    if (out.back() != '[') out += ',';
    out += describe_json(*agent);
  }
  return out + "]}";
}

std::string profile_table(const host::AgentsFile& file) {
  std::vector<NameRow> rows = {
      {"AGENT", "PERMISSIONS", "ACTS AS", "TENANT", "TOOLS", "CLASSES", "RATE"}};
  for (const auto& [name, agent] : file.agents) {
    rows.push_back({printable(name), std::string(tier_name(agent->tier)),
                    std::string(host::profile_mode(*agent)),
                    agent->tenant_id ? host::fingerprint_of(*agent->tenant_id) : "none",
                    shown_list(agent->tools), shown_list(agent->classes), rate_text(*agent)});
  }
  return table(rows);
}

}  // namespace gantry::cli

// agent.list and agent.describe.
#include "host/auth/agents/profile_json.hpp"
#include "host/rpc/admin/operator_methods.hpp"

namespace gantry::host::rpc {
namespace {

Result<std::string> list_agents(const AgentsFile& file) {
  std::string out = "{\"agents\":[";
  for (const auto& [name, agent] : file.agents) {
    if (!out.ends_with('[')) out += ',';
    out += profile_json(*agent);
  }
  return out + "]}";
}

Result<std::string> describe_agent(const HostParts& parts, const std::string& name,
                                   const std::string& class_name) {
  const auto file = parts.agents();
  const AgentPtr agent = file->find(name);
  if (!agent) return no_profile(name, *file);
  ProfileMore more;
  more.only_class = class_name;
  if (parts.layers) {
    auto layers = parts.layers(agent, class_name);
    if (!layers) return layers.status();
    more.hidden = std::move(layers->hidden);
    more.class_layers = std::move(layers->of_class);
  }
  more.effective.emplace();
  const SnapshotPtr snapshot = parts.registry.snapshot();
  for (const ItemPtr& tool : snapshot->tools) {
    if (!parts.calls.denied(*agent, *tool)) more.effective->push_back(tool->spec.name);
  }
  return profile_json(*agent, more);
}

}  // namespace

Status no_profile(const std::string& name, const AgentsFile& file) {
  return Status::not_found("there is no profile '" + name + "'; profiles: " + file.names());
}

AdminMethods agent_methods(const HostParts& parts) {
  return {{.name = "agent.list",
           .run = [parts](const AdminParams&,
                          const AdminCaller&) { return list_agents(*parts.agents()); }},
          {.name = "agent.describe",
           .parameters = {"agent", "class?"},
           .pace = AdminMethod::Pace::blocks,
           .run = [parts](const AdminParams& params, const AdminCaller&) {
             return describe_agent(parts, params.text("agent"), params.text("class"));
           }}};
}

}  // namespace gantry::host::rpc

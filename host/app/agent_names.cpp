#include "host/app/agent_names.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <gantry/schema/nearest.hpp>

#include "host/registry/find.hpp"

namespace gantry::host {
namespace {

std::vector<std::string> names_in(const Agent& agent) {
  std::vector<std::string> out = agent.tools.except;
  if (agent.tools.only) out.insert(out.end(), agent.tools.only->begin(), agent.tools.only->end());
  out.insert(out.end(), agent.approval.tools.begin(), agent.approval.tools.end());
  return out;
}

std::string sentence(const std::string& agent, const std::string& tool,
                     const std::vector<std::string>& offered) {
  std::string out = "agents/" + agent + ": no plugin offers the tool '" + tool + "'";
  const auto nearest = schema::nearest(tool, std::span<const std::string>(offered));
  return nearest ? out + "; did you mean '" + std::string(*nearest) + "'?" : out;
}

}  // namespace

Status check_tool_names(const AgentsFile& file, const Snapshot& snapshot, Log& log) {
  std::vector<std::string> offered;
  for (const ItemPtr& item : snapshot.tools) offered.push_back(item->spec.name);
  for (const auto& [name, agent] : file.agents) {
    for (const std::string& tool : names_in(*agent)) {
      if (std::find(offered.begin(), offered.end(), tool) != offered.end()) continue;
      const std::string what = sentence(name, tool, offered);
      if (agent->strict_tools) {
        return Status::invalid(what + " Correct it, load its plugin, or take strict_tools out");
      }
      log.write(Level::warn, what);
    }
  }
  return {};
}

Status check_services_in_process(const Snapshot& snapshot, const SettingsByName* next) {
  const auto moves = [next](const std::string& name) {
    const auto found = next == nullptr ? SettingsByName::const_iterator() : next->find(name);
    return next != nullptr && found != next->end() && found->second.isolate == Isolate::process;
  };
  for (const ItemPtr& item : snapshot.services) {
    if (!item->plugin || !item->plugin->builtin()) continue;
    const std::string& name = item->plugin->manifest().name;
    if (!item->plugin->in_worker() && !moves(name)) continue;
    return Status::invalid("plugins." + name + ".isolate: with an agents file the plugin '" + name +
                           "' must run in this process, since a worker gets no caller's rights; " +
                           "say \"in-process\"");
  }
  return {};
}

Status check_class_names(const AgentsFile& file, const ClassExists& exists, Log& log) {
  std::map<std::string, std::optional<bool>> known;  // each class is looked up once
  for (const auto& [name, agent] : file.agents) {
    if (!agent->classes.only) continue;
    for (const std::string& cls : *agent->classes.only) {
      const auto [found, fresh] = known.try_emplace(cls);
      if (fresh) found->second = exists(cls);
      if (found->second == true) continue;
      const std::string what = "agents/" + name + ": " +
                               (found->second ? "there is no class '" + cls + "'"
                                              : "the class '" + cls + "' cannot be looked up");
      if (agent->strict_classes) {
        return Status::invalid(what +
                               "; correct it, give its database, or take strict_classes out");
      }
      if (found->second) log.write(Level::warn, what);
    }
  }
  return {};
}

}  // namespace gantry::host

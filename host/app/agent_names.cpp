#include "host/app/agent_names.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gantry/schema/nearest.hpp>

#include "host/app/class_lookup.hpp"

namespace gantry::host {
namespace {

using Names = std::vector<std::string>;

// Those of a list, and more.
Names names_in(const NameFilter& list, const Names& more = {}) {
  Names names = list.except;
  if (list.only) names.insert(names.end(), list.only->begin(), list.only->end());
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

bool offers_method(const Snapshot& snapshot, std::string_view name) {
  return std::any_of(snapshot.methods.begin(), snapshot.methods.end(), [&](const ItemPtr& item) {
    const ItemSpec& spec = item->spec;
    return spec.name == name || spec.class_name + "." + spec.name == name;
  });
}

std::string sentence(const std::string& agent, const std::string& tool, const Names& offered) {
  std::string out = "agents/" + agent + ": no plugin offers the tool '" + tool + "'";
  const auto nearest = schema::nearest(tool, std::span<const std::string>(offered));
  return nearest ? out + "; did you mean '" + std::string(*nearest) + "'?" : out;
}

constexpr const char* kNoAnswer = "no plugin offers classes, or it did not answer";
constexpr const char* kClassRepair = "give its database, or take strict_classes out";

// Of a name that nothing offers, by the profile's strict_tools or strict_classes.
Status refuse_or_warn(bool is_strict, const std::string& what, const char* repair, Log& log) {
  if (is_strict) return Status::invalid(what + "; correct it, " + repair);
  log.write(Level::warn, what);
  return {};
}

Status check_tool_names(const AgentsFile& file, const Snapshot& snapshot, Log& log) {
  std::vector<std::string> offered;
  for (const ItemPtr& item : snapshot.tools) offered.push_back(item->spec.name);
  for (const auto& [name, agent] : file.agents) {
    for (const std::string& tool : names_in(agent->tools, agent->approval.tools)) {
      if (std::find(offered.begin(), offered.end(), tool) != offered.end()) continue;
      if (Status good = refuse_or_warn(agent->strict_tools, sentence(name, tool, offered),
                                       "load its plugin, or take strict_tools out", log);
          !good) {
        return good;
      }
    }
  }
  return {};
}

Status check_class_names(const AgentsFile& file, const ClassLookup& classes, Log& log) {
  std::map<std::string, std::optional<bool>> known;  // each class is looked up once
  for (const auto& [name, agent] : file.agents) {
    for (const std::string& cls : names_in(agent->classes)) {
      const auto [found, fresh] = known.try_emplace(cls);
      if (fresh) found->second = classes.exists(cls);
      if (found->second == true) continue;
      const std::string what =
          "agents/" + name + ": " +
          (found->second ? "there is no class '" + cls + "'"
                         : "the class '" + cls + "' cannot be looked up: " + kNoAnswer);
      if (Status good = refuse_or_warn(agent->strict_classes, what, kClassRepair, log); !good) {
        return good;
      }
    }
  }
  return {};
}

void warn_of_methods(const AgentsFile& file, const Snapshot& snapshot, Log& log) {
  for (const auto& [name, agent] : file.agents) {
    for (const std::string& method : names_in(agent->methods, agent->approval.methods)) {
      if (offers_method(snapshot, method)) continue;
      log.write(Level::warn, "agents/" + name + ": no plugin offers the method '" + method + "'");
    }
  }
}

Status check_filters(const AgentsFile& file, const ClassLookup& classes, Log& log) {
  for (const auto& [name, agent] : file.agents) {
    if (agent->filters.empty()) continue;
    const std::string begin = "agents/" + name + ": filters: ";
    const auto found = classes.misfits(agent);
    if (found && !found->faults.empty()) return Status::invalid(begin + found->faults.front());
    Names doubts;
    if (!found) doubts.push_back(std::string("they cannot be checked: ") + kNoAnswer);
    for (const std::string& cls : found ? found->absent : Names()) {
      doubts.push_back("there is no class '" + cls + "', so nothing is filtered by it");
    }
    for (const std::string& doubt : doubts) {
      if (Status good = refuse_or_warn(agent->strict_classes, begin + doubt, kClassRepair, log);
          !good) {
        return good;
      }
    }
  }
  return {};
}

}  // namespace

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

Status check_agents(const AgentsFile& file, const Registry& registry, Calls& calls, Log& log) {
  const ClassLookup classes(registry, calls);
  const SnapshotPtr snapshot = registry.snapshot();
  if (Status good = check_services_in_process(*snapshot); !good) return good;
  if (Status good = check_tool_names(file, *snapshot, log); !good) return good;
  warn_of_methods(file, *snapshot, log);
  if (Status good = check_class_names(file, classes, log); !good) return good;
  return check_filters(file, classes, log);
}

}  // namespace gantry::host

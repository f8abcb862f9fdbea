// host/app/agent_names.hpp: names in agents' profiles that nothing offers.
//
// Pure but for the log; any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "host/app/class_lookup.hpp"
#include "host/auth/agents/agents_file.hpp"
#include "host/config/plugin_settings.hpp"
#include "host/observe/log.hpp"
#include "host/registry/snapshot.hpp"

namespace gantry::host {

// GANTRY_INVALID_ARGUMENT: a profile with strict_tools names a tool that no plugin offers; the
// message names the nearest. Of other profiles such names are logged.
Status check_tool_names(const AgentsFile& file, const Snapshot& snapshot, Log& log);

// GANTRY_INVALID_ARGUMENT: a built-in plugin that offers a service runs in a worker process.
// Workers never get the rights of callers, so it could not obey the profiles. `next`: settings that
// are to be taken over, which must not move it there either; null: none.
Status check_services_in_process(const Snapshot& snapshot, const SettingsByName* next = nullptr);

// Whether a class exists; nothing: it cannot be told.
using ClassExists = std::function<std::optional<bool>(const std::string& name)>;
// The same for the names in `classes` and strict_classes. A strict name that cannot be looked up
// fails too.
Status check_class_names(const AgentsFile& file, const ClassExists& exists, Log& log);

// The names of `methods`, "name" or "Class.name", that no plugin offers are logged.
void warn_of_methods(const AgentsFile& file, const Snapshot& snapshot, Log& log);

using FilterMisfits = std::function<std::optional<ClassLookup::Misfits>(const AgentPtr&)>;
// GANTRY_INVALID_ARGUMENT: a row filter does not fit its class by the rules of a caller's `where`,
// or with strict_classes its class is absent. Other absent classes are logged: nothing filters
// them.
Status check_filters(const AgentsFile& file, const FilterMisfits& misfits, Log& log);

}  // namespace gantry::host

// tools/gantry/agent/profile_text.hpp: profiles as text for operators. Users and tenants appear as
// fingerprints, filters by the names of their fields.
//
// Pure functions but for the environment (gates).
#pragma once

#include <string>
#include <vector>

#include <rapidjson/document.h>

#include "host/auth/agents/agents_file.hpp"

namespace gantry::cli {

// {"agents":[{…}]}, each as describe_json() without effective tools.
std::string json_of(const host::AgentsFile& file);
std::string profile_table(const host::AgentsFile& file);

// {agent, permissions, auth {mode, fingerprint?}, tenant_id?, roles?, classes, tools {only?,
// except?, effective?}, methods, filters {class: [fields]}, hidden_classes, strict, rate_limit,
// caps, gates}. `effective`: {"tools":[…]} as a server lists them for the profile, or null. With
// `only_class` the filters of other classes are left out.
std::string describe_json(const host::Agent& agent, const rapidjson::Value* effective,
                          const std::string& only_class = {});

}  // namespace gantry::cli

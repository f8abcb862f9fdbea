// tools/gantry/agent/profile_text.hpp: profiles as text for operators. Users and tenants appear as
// fingerprints, filters by the names of their fields.
//
// Pure functions but for the environment (gates).
#pragma once

#include <string>

#include "host/auth/agents/agents_file.hpp"
#include "host/auth/agents/profile_json.hpp"

namespace gantry::cli {

// {"agents":[{…}]}, each as describe_json() without effective tools.
std::string json_of(const host::AgentsFile& file);
std::string profile_table(const host::AgentsFile& file);

// A profile as host/auth/agents/profile_json.hpp writes it, with the gates of this environment.
// `more.gates` is set here.
std::string describe_json(const host::Agent& agent, host::ProfileMore more = {});

}  // namespace gantry::cli

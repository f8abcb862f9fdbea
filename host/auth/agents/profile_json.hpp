// host/auth/agents/profile_json.hpp: a profile as JSON for operators. Users and tenants appear as
// fingerprints, filters by the names of their fields.
//
// Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/auth/agent.hpp"

namespace gantry::host {

struct ProfileMore {
  std::optional<std::vector<std::string>> effective;  // the tools that a server lists for it
  std::string only_class;                             // of filters, those of this class; empty: all
  std::string gates;                                  // JSON object; empty: left out
  std::vector<std::string> hidden;  // classes that exist and that the model or the system hides
  std::string class_layers;         // of the model about `only_class`, JSON; empty: left out
};

// {agent, permissions, auth {mode, fingerprint?}, tenant_id?, roles?, classes, tools {only?,
// except?, effective?}, methods, filters {class: [fields]}, hidden_classes, strict, sql,
// rate_limit, caps, approval?, class_layers?, gates?}.
std::string profile_json(const Agent& agent, const ProfileMore& more = {});

// "user", "roles" or "master": what the profile's identity is.
std::string_view profile_mode(const Agent& agent);

}  // namespace gantry::host

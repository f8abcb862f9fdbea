// host/auth/agents/read_profile.hpp (private): one profile and one issuer of an agents file, whose
// form the schema has checked.
//
// Pure functions; any thread. Errors name the fault, without file and line.
#pragma once

#include <filesystem>
#include <string>

#include <rapidjson/fwd.h>

#include <gantry/result.hpp>

#include "host/auth/agents/agents_file.hpp"

namespace gantry::host {

// GANTRY_INVALID_ARGUMENT: a list leaves nothing, or the roles are too many.
Result<AgentPtr> read_profile(const std::string& name, const rapidjson::Value& profile,
                              const Roles& roles);

// GANTRY_INVALID_ARGUMENT: its agent does not exist, or its keys would be fetched without TLS.
Result<JwtIssuer> read_issuer(const rapidjson::Value& issuer, const AgentsFile& file,
                              const std::filesystem::path& directory);

}  // namespace gantry::host

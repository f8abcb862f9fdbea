// host/auth/agents/agents_file.hpp: reads the operator's agents file: profiles, roles and issuers.
//
// Pure but for read_agents_file(); values, any thread.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

#include "host/auth/agent.hpp"
#include "host/auth/agents/jwt_issuer.hpp"
#include "host/auth/agents/roles.hpp"

namespace gantry::host {

struct AgentsFile {
  // Resolved: roles expanded, limits set. Never null.
  std::map<std::string, AgentPtr, std::less<>> agents;
  Roles roles;  // for the roles that tokens bring
  std::vector<JwtIssuer> issuers;

  // The profile, or null.
  AgentPtr find(std::string_view name) const;
  // "sales, reports": for messages about a name that is unknown.
  std::string names() const;
};

// The text of an agents file (JSON with comments), checked against
// schemas/agents/agents.schema.json. Every error names `file`, the line, the fault and its remedy;
// one line for each error. Paths in it are relative to the directory of `file`.
Result<AgentsFile> read_agents(std::string_view text, const std::filesystem::path& file);
Result<AgentsFile> read_agents_file(const std::filesystem::path& file);

// The schema's text.
std::string_view agents_schema();

}  // namespace gantry::host

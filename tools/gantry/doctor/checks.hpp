// tools/gantry/doctor/checks.hpp: the checks of gantry doctor. They change nothing.
//
// Main thread.
#pragma once

#include <memory>
#include <string>

#include <rapidjson/fwd.h>

#include "tools/gantry/doctor/finding.hpp"
#include "tools/gantry/doctor/program.hpp"

namespace gantry::cli::doctor {

// A host that runs.
struct LivingHost {
  std::string socket, version, endpoint;
  std::uint64_t pid = 0;
  std::string plugins;  // the answer of plugin.list
};

// Versions of gantry, of the gantryd beside it, and of the host if one runs.
void check_versions(const LivingHost* host, const Stop& stop, Findings& out);

// The configuration as gantryd prints it; null: it is not usable, which is a finding.
rapidjson::Document check_configuration(const Invocation& invocation, const Stop& stop,
                                        Findings& out);

// What the configuration names. Files are looked at, not opened by SQLite, which could write
// beside them.
void check_agents_file(const rapidjson::Value& configuration, const std::string& directory,
                       Findings& out);
void check_database_files(const rapidjson::Value& configuration, const std::string& directory,
                          Findings& out);
void check_models(const rapidjson::Value& configuration, const std::string& directory,
                  Findings& out);

// Loads all plugins in a gantryd that does not serve; they open what the configuration names.
void try_plugins(const Invocation& invocation, const Stop& stop, Findings& out);
// The plugins of a host, of the answer of plugin.list.
void check_plugins_of(const std::string& answer, Findings& out);

void check_state(const rapidjson::Value& configuration, const std::string& directory,
                 Findings& out);
void check_control(const LivingHost* host, Findings& out);
void check_port(const rapidjson::Value& configuration, const LivingHost* host, Findings& out);

}  // namespace gantry::cli::doctor

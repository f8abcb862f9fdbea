// tools/gantry/operate/operate.hpp: commands that show and end what a host has open.
#pragma once

#include <string>

#include <rapidjson/fwd.h>

#include "tools/gantry/command.hpp"

namespace gantry::cli {

void declare_open(CLI::App& app, Run& run);
void declare_sessions(CLI::App& app, Run& run);
void declare_subscriptions(CLI::App& app, Run& run);

// Of {sessions: […]} and {subscriptions: […]}: a table, or one sentence when there are none. Its
// lines take at most `width` columns (0: any number).
std::string session_table(const rapidjson::Value& answer, std::size_t width);
std::string subscription_table(const rapidjson::Value& answer, std::size_t width);

}  // namespace gantry::cli

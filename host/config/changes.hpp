// host/config/changes.hpp: compares the running configuration with a newly read one.
//
// Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/config/settings.hpp"

namespace gantry::host {

// The keys whose values differ, in the order of the schema: "log_level", "http.io_threads", and a
// plugin's whole section as "plugins.NAME". Never a value.
std::vector<std::string> changed_keys(const Settings& before, const Settings& after);

// True if a running server applies a change of this key; else it needs a restart.
bool is_live(std::string_view key);

}  // namespace gantry::host

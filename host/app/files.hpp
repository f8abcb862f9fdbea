// host/app/files.hpp: the files that plugins in workers must not be granted.
//
// Any thread; looks at the environment.
#pragma once

#include <filesystem>
#include <vector>

#include "host/config/settings.hpp"

namespace gantry::host {

// Directories that no plugin may be granted: the state directory and the control socket's.
std::vector<std::filesystem::path> closed_paths(const Settings& settings,
                                                const std::filesystem::path& state);

}  // namespace gantry::host

// host/plugin/builtin_directory.hpp: where the built-in plugins of this installation are.
//
// Any thread.
#pragma once

#include <filesystem>

namespace gantry::host {

// The directory of the running program's built-in plugins: lib/gantry/plugins beside an installed
// bin/, else plugins/ beside the bin/ of a build tree.
std::filesystem::path builtin_plugins_directory();

}  // namespace gantry::host

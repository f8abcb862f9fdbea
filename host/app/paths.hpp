// host/app/paths.hpp: default directories of the program.
//
// Any thread; reads the environment.
#pragma once

#include <filesystem>

#include <gantry/result.hpp>

namespace gantry::host {

// The directory of the running program's built-in plugins: lib/gantry/plugins beside an installed
// bin/, else plugins/ beside the bin/ of a build tree.
std::filesystem::path builtin_plugins_directory();

// $XDG_STATE_HOME/gantry, else ~/.local/state/gantry; an error when there is no home.
Result<std::filesystem::path> user_state_directory();

// Makes the directory with mode 0700 where it is missing, and gives that mode to one that is less
// private. It is an error when all users may write to it, or when its mode cannot be changed.
Status make_private_directory(const std::filesystem::path& directory);

}  // namespace gantry::host

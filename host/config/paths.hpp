// host/config/paths.hpp: default directories of the program.
//
// Any thread; reads the environment.
#pragma once

#include <filesystem>

#include <gantry/result.hpp>

namespace gantry::host {

// $XDG_STATE_HOME/gantry, else ~/.local/state/gantry; an error when there is no home.
Result<std::filesystem::path> user_state_directory();

// Makes the directory with mode 0700 where it is missing, and gives that mode to one that is less
// private. It is an error when all users may write to it, or when its mode cannot be changed.
Status make_private_directory(const std::filesystem::path& directory);

}  // namespace gantry::host

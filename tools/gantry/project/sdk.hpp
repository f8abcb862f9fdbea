// tools/gantry/project/sdk.hpp: the SDK that is installed beside this program.
//
// Reads /proc; any thread.
#pragma once

#include <string>

namespace gantry::cli {

// The folder of this program.
std::string program_directory();

// Where the SDK is installed, for CMAKE_PREFIX_PATH; empty where CMake finds it by itself or this
// program is not installed.
std::string sdk_prefix();

}  // namespace gantry::cli

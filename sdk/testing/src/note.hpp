// Reads the manifest of a plugin's file from its ELF note, without running any of its code.
#pragma once

#include <filesystem>
#include <string>

#include <gantry/result.hpp>

namespace gantry::testing::detail {

Result<std::string> read_manifest(const std::filesystem::path& file);

}  // namespace gantry::testing::detail

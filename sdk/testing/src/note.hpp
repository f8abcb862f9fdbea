// The manifest in a plugin's file, read from its ELF note without running anything of it.
#pragma once

#include <filesystem>
#include <string>

#include <gantry/result.hpp>

namespace gantry::testing::detail {

Result<std::string> read_manifest(const std::filesystem::path& file);

}  // namespace gantry::testing::detail

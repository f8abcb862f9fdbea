// host/loader/grants.hpp: whether the files that an operator grants to a plugin can be granted.
//
// Any thread; looks at the file system.
#pragma once

#include <filesystem>
#include <vector>

#include <gantry/result.hpp>

#include "host/plugin/generation.hpp"

namespace gantry::host {

// Every granted path is absolute, is there, and neither is nor holds one of `closed`. The error is
// a sentence that names the path.
Status check_grants(const Origin& origin, const std::vector<std::filesystem::path>& closed);

// `path` neither is nor holds one of `closed`.
bool is_open(const std::filesystem::path& path, const std::vector<std::filesystem::path>& closed);

}  // namespace gantry::host

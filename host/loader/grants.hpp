// host/loader/grants.hpp: whether the files that an operator grants to a plugin can be granted.
//
// Any thread; looks at the file system.
#pragma once

#include <filesystem>
#include <vector>

#include <gantry/result.hpp>

#include "host/plugin/generation.hpp"

namespace gantry::host {

// Checks the granted paths of a plugin. A path must be absolute and must exist. It must neither be
// one of `closed` nor hold one of them. The error is a sentence that names the path.
Status check_grants(const Origin& origin, const std::vector<std::filesystem::path>& closed);

// True if `path` neither is nor holds one of `closed`.
bool is_open(const std::filesystem::path& path, const std::vector<std::filesystem::path>& closed);

}  // namespace gantry::host

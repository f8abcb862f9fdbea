// host/trust/permissions.hpp: whether others could put code where plugins are loaded from.
//
// Who can write to a directory, or to one above it, can replace what is in it. Fine are those that
// belong to root or to the user of this process and that nobody else can write to; others may write
// where the sticky bit keeps them from what is not theirs, and through a group that has only the
// owner. Reads the file system; any thread.
#pragma once

#include <filesystem>

#include <gantry/result.hpp>

namespace gantry::host::trust {

// A directory and all above it. GANTRY_DENIED: the sentence names the directory and the command
// that mends it. A path that cannot be read counts as wrong too.
Status check_directory(const std::filesystem::path& directory);

// A file, and the directories of every link that leads to it.
Status check_file(const std::filesystem::path& file);

}  // namespace gantry::host::trust

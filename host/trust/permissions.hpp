// host/trust/permissions.hpp: whether other users can put code where plugins are loaded from.
//
// A user that can write to a directory, or to one above it, can replace the files in it. A
// directory is accepted if it belongs to root or to the user of this process and no other user can
// write to it. Write access of others is accepted with the sticky bit, and of a group whose only
// member is the owner. Reads the file system; any thread.
#pragma once

#include <filesystem>

#include <gantry/result.hpp>

namespace gantry::host::trust {

// Checks a directory and all above it. GANTRY_DENIED: the sentence names the directory and the
// command that corrects it. A path that cannot be read is denied.
Status check_directory(const std::filesystem::path& directory);

// Checks a file, and the directories of every link that leads to it.
Status check_file(const std::filesystem::path& file);

}  // namespace gantry::host::trust

// host/app/files.hpp: the files that plugins in workers must not be granted, and those that the
// data engine is granted automatically.
//
// Any thread; looks at the file system and the environment.
#pragma once

#include <filesystem>
#include <vector>

#include <rapidjson/document.h>

#include "host/config/settings.hpp"

namespace gantry::host {

// Directories that no plugin may be granted: the state directory and the control socket's.
std::vector<std::filesystem::path> closed_paths(const Settings& settings,
                                                const std::filesystem::path& state);

// Adds to `files` those that the data engine's configuration names: to read the database, the files
// beside it that SQLite keeps, and the model; to write the exports, whose directory is made. Where
// the database's directory can be granted it is, since SQLite makes files in it while it is open.
void grant_data_files(const rapidjson::Value& config,
                      const std::vector<std::filesystem::path>& closed, FilesSection& files);

}  // namespace gantry::host

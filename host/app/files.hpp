// host/app/files.hpp: which files of this server plugins in workers may be granted, and which the
// data engine is.
//
// Any thread; looks at the file system and the environment.
#pragma once

#include <filesystem>
#include <vector>

#include <rapidjson/document.h>

#include "host/config/settings.hpp"

namespace gantry::host {

// What no plugin may be granted: the state directory, and that of the control socket.
std::vector<std::filesystem::path> closed_paths(const Settings& settings,
                                                const std::filesystem::path& state);

// Adds to `files` those that the data engine's configuration names: to read the database, the files
// beside it that SQLite keeps, and the model; to write the exports, whose directory is made. Where
// the database's directory can be granted it is, since SQLite makes files in it while it is open.
void grant_data_files(const rapidjson::Value& config,
                      const std::vector<std::filesystem::path>& closed, FilesSection& files);

}  // namespace gantry::host

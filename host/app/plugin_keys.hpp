// host/app/plugin_keys.hpp: applies the key declarations of built-in plugins to the settings.
//
// Any thread; looks at the file system and the environment.
#pragma once

#include <filesystem>
#include <vector>

#include "host/config/plugin_keys.hpp"
#include "host/config/settings.hpp"
#include "host/observe/log.hpp"

namespace gantry::host {

// `settings` completed as `plugins` declare: values, derived from the state directory and the
// server's address, of keys that the operator left out; and grants of the files that keys name.
// Grants are for a plugin that runs in a worker, or on trial. Makes the directories that a plugin
// is granted to write to; one that cannot be made is not granted. Makes the secrets that a plugin
// has in the state directory; `log` gets a warning of each that is there and cannot be used.
Settings with_plugin_keys(Settings settings, const std::vector<PluginKeys>& plugins,
                          const std::filesystem::path& state, Log* log = nullptr);

}  // namespace gantry::host

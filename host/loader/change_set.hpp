// host/loader/change_set.hpp: the differences between the loaded plugins and their files and
// settings. Runs no code of plugins. Control thread.
#pragma once

#include <string>
#include <vector>

#include "host/loader/batch.hpp"

namespace gantry::host {

class DisabledPlugins;
class PluginTable;
struct LoaderOptions;

struct ChangeSet {
  Batch batch;  // not planned yet
  std::vector<std::string> removed;
};

// Records in `table` the place of each plugin's file, and which plugins need no change.
ChangeSet compare(const std::vector<SeenFile*>& files, const LoaderOptions& options,
                  const DisabledPlugins& disabled, PluginTable& table);

// The state of a plugin that has a file and is disabled or unloaded.
PluginState disabled_state(const Origin& origin, std::string reason);

}  // namespace gantry::host

// host/loader/change_set.hpp: what has to change so that the plugins are as their files and the
// operator say. Runs no code of theirs. Control thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/loader/batch.hpp"
#include "host/loader/loader_options.hpp"
#include "host/loader/plugin_book.hpp"
#include "host/loader/remembered.hpp"
#include "host/loader/seen_files.hpp"

namespace gantry::host {

struct ChangeSet {
  Batch batch;  // not planned yet
  std::vector<std::string> removed;
};

// `changes` counts the change sets so far. Notes in `book` where a plugin's file lies now, and
// which plugins are as they should be.
ChangeSet compare(const std::vector<SeenFile*>& files, const LoaderOptions& options,
                  const Remembered& remembered, std::uint64_t changes, PluginBook& book);

// A plugin whose file is there but that shall not be loaded.
PluginState disabled_state(const Origin& origin, std::string reason);

}  // namespace gantry::host

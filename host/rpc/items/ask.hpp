// host/rpc/items/ask.hpp (private): prompts, resources and completions: from the item that was
// found to the answer.
#pragma once

#include <optional>
#include <string>

#include "host/rpc/items/run.hpp"
#include "host/rpc/methods.hpp"
#include "host/rpc/results/finish_item.hpp"

namespace gantry::host::rpc {

// Runs the item with the arguments (JSON text), its answer made by finish_item(). What goes wrong
// inside is logged under the plugin's name.
std::optional<Answer> ask_item(Core& core, const Message& message, const Context& context,
                               Channel& channel, const SnapshotPtr& snapshot, const Item& item,
                               Asked asked, std::string arguments);

inline void log_fault(Core& core, const std::string& plugin, std::string_view fault) {
  core.log.write(Level::error, fault, {{"plugin", plugin}});
}

inline std::string plugin_of(const Item& item) {
  return item.plugin ? item.plugin->manifest().name : std::string();
}

}  // namespace gantry::host::rpc

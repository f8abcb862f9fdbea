// host/rpc/items/run_item.hpp (private): starts a request for a prompt, a resource or a completion.
//
// Any thread.
#pragma once

#include <optional>
#include <string>

#include "host/rpc/core.hpp"
#include "host/rpc/items/start_item.hpp"
#include "host/rpc/results/item_result.hpp"

namespace gantry::host::rpc {

// Runs the item with the arguments (JSON text); item_result() makes its answer. Faults of the
// plugin are logged under its name.
std::optional<Answer> run_item(Core& core, const Message& message, const Context& context,
                               Channel& channel, const SnapshotPtr& snapshot, const Item& item,
                               Asked asked, std::string arguments);

inline void log_fault(Core& core, const std::string& plugin, std::string_view fault) {
  core.log.write(Level::error, fault, {{"plugin", plugin}});
}

inline std::string plugin_of(const Item& item) {
  return item.plugin ? item.plugin->manifest().name : std::string();
}

}  // namespace gantry::host::rpc

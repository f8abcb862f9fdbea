// host/registry/build.hpp: builds a snapshot from loaded plugins and their offers.
//
// Internal to host/registry. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gantry/result.hpp>

#include "host/registry/snapshot.hpp"

namespace gantry::host {

// A plugin of the set with its present offer.
struct Offer {
  InstancePtr plugin;
  std::vector<ItemPtr> items;
};

// Items as snapshots hold them, schemas compiled.
Result<std::vector<ItemPtr>> make_items(const InstancePtr& plugin,
                                        const std::vector<ItemSpec>& specs);

std::vector<ItemSpec> specs_of(const std::vector<ItemPtr>& items);

// `offers` claim no name twice, except for overrides of built-in plugins' names. Items of a plugin
// with an unmet need are left out and the plugin is "waiting". Items of a generation in `hidden`
// are left out, too, and the plugin has the state given there.
SnapshotPtr build_snapshot(const std::vector<Offer>& offers,
                           const std::vector<PluginState>& refused,
                           const std::map<std::uint64_t, PluginState>& hidden,
                           std::uint64_t version);

// Which lists of two snapshots differ.
ListChanges changes_between(const Snapshot& before, const Snapshot& after);

}  // namespace gantry::host

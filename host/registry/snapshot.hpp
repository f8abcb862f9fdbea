// host/registry/snapshot.hpp: the immutable set of all items on offer at one moment.
//
// A Snapshot is built from the loaded instances and their offers, published whole and never
// changed. It keeps its instances alive; a call keeps the snapshot that admitted it. Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <gantry/schema/validator.hpp>

#include "host/plugin/instance.hpp"
#include "host/plugin/manifest.hpp"
#include "host/plugin/plugin_state.hpp"
#include "host/registry/inline_latency_guard.hpp"

namespace gantry::host {

struct Item {
  ItemSpec spec;
  InstancePtr plugin;
  std::shared_ptr<const schema::Validator> input;   // tools: always there
  std::shared_ptr<const schema::Validator> output;  // null: the spec has no output schema
  // Revokes the flag non_blocking of a slow item.
  std::shared_ptr<InlineLatencyGuard> latency_guard = std::make_shared<InlineLatencyGuard>();
};
using ItemPtr = std::shared_ptr<const Item>;

// It has more than twelve members: each list and its look-up are members of their own, because
// every call reads them.
struct Snapshot {
  using ByKey = std::unordered_map<std::string_view, const Item*>;

  std::uint64_t version = 0;  // counts publishes
  // In listing order.
  std::vector<ItemPtr> tools, prompts, resources, templates, services, completions, methods;
  // By ItemSpec::key().
  ByKey tool_by_name, prompt_by_name, resource_by_uri, template_by_uri, service_by_name,
      completion_by_name, method_by_name;
  bool subscribable = false;         // some resource or template reports changes
  std::vector<PluginState> plugins;  // by name
};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

// The lists that differ between two snapshots, also in members that no client sees.
struct ListChanges {
  bool tools = false, prompts = false, resources = false;  // resources: or templates
  bool empty() const { return !tools && !prompts && !resources; }
};

}  // namespace gantry::host

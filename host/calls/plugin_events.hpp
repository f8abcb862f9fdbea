// host/calls/plugin_events.hpp (private): changes of resources that plugins report
// (gantry.events/1), published on the bus.
//
// A plugin reports only its own resources. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/bus/bus.hpp"
#include "host/registry/registry.hpp"

namespace gantry::host {

class PluginEvents {
 public:
  // Both outlive it.
  PluginEvents(Registry& registry, Bus& bus) : registry_(registry), bus_(bus) {}

  // As the functions of HostServices. GANTRY_DENIED: the plugin offers no such resource.
  // GANTRY_TOO_BIG: a URI over 2 KiB or metadata over 16 KiB. GANTRY_INVALID_ARGUMENT: metadata
  // that is not a JSON object.
  gantry_status resource_changed(const Instance& plugin, std::string_view uri,
                                 std::string_view metadata, bool deleted);
  gantry_status list_changed(const Instance& plugin);
  std::vector<std::string> watched(const Instance& plugin);

 private:
  Registry& registry_;
  Bus& bus_;
};

}  // namespace gantry::host

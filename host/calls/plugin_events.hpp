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

  // As the functions of HostServices.
  gantry_status resource_changed(const Instance& plugin, std::string_view uri,
                                 std::string_view metadata, bool deleted);
  gantry_status list_changed(const Instance& plugin);
  std::vector<std::string> watched(const Instance& plugin);

 private:
  Registry& registry_;
  Bus& bus_;
};

}  // namespace gantry::host

// host/plugin/admin.hpp: what an operator can do with plugins while the host serves.
//
// Implemented by the live loader; used by the control socket and the admin's HTTP. All functions:
// any thread but the loader's control thread; those that change something block until it has taken
// effect (published, or refused). A Status's sentence is for the operator.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

#include "host/plugin/plugin_state.hpp"

namespace gantry::host {

// One plugin in detail. Never a secret's value, nor a configuration value.
struct PluginInfo {
  PluginState state;
  // JSON objects: the manifest without its schemas, the current offer ({tools: [names], …}), and
  // {configured: [names of configuration keys], secrets: [names], walls: {…}, limits: {…}}.
  std::string manifest, offer, settings;
};

class PluginAdmin {
 public:
  virtual ~PluginAdmin() = default;

  // By name; of one plugin at most one entry serves.
  virtual std::vector<PluginState> list() const = 0;
  virtual Result<PluginInfo> info(std::string_view name) const = 0;

  // Loads one more file, which is watched from now on. Takes an absolute path.
  virtual Status load(const std::filesystem::path& file) = 0;
  // Takes the plugin away until its file changes or it is loaded, reloaded or enabled.
  virtual Status unload(std::string_view name) = 0;
  // A new generation from the file as it is now, also when nothing changed; lifts a quarantine.
  // An empty name: all.
  virtual Status reload(std::string_view name) = 0;
  // Remembered over restarts of the host.
  virtual Status enable(std::string_view name) = 0;
  virtual Status disable(std::string_view name) = 0;
  // Takes the plugin's items away until a new file comes or it is lifted.
  virtual Status quarantine(std::string_view name, bool on) = 0;
};

}  // namespace gantry::host

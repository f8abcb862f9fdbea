// host/loader/plugin_state.hpp: how a plugin's file stands, for logs and listings. Values.
#pragma once

#include <cstdint>
#include <string>

namespace gantry::host {

struct PluginState {
  std::string name, version, file, sha256;
  std::uint64_t generation = 0;
  // "serving", "waiting" (its items are hidden: see reason) or "refused" (not loaded: see reason).
  std::string state;
  std::string reason;
};

}  // namespace gantry::host

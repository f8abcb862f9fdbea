// host/plugin/plugin_state.hpp: how a plugin stands, for logs, listings and metrics. Values.
#pragma once

#include <cstdint>
#include <string>

namespace gantry::host {

// It has more than twelve members: one for each column of a listing.
struct PluginState {
  std::string name, version, file, sha256;
  std::uint64_t generation = 0;  // that serves; 0 = none
  // "serving"; "waiting" (its items are hidden: see reason); "refused" (its file is not loaded: see
  // reason); "disabled" (by configuration or command); "quarantined" (it failed too often);
  // "restarting" (its worker is gone and comes back); "ending" (its file is gone and calls still
  // hold it); in reports also "removed".
  std::string state;
  std::string reason;
  bool builtin = false;
  bool in_worker = false;
  // Set while the plugin serves but its newest file or configuration does not: the reason.
  std::string last_failure;
  std::uint64_t restarts = 0;  // of its worker
  int pid = 0;                 // of its worker
  int draining = 0;            // older generations that calls still hold
  // Older generations held beyond the grace, and calls that are answered but still inside it.
  int stuck = 0, abandoned_calls = 0;

  bool operator==(const PluginState&) const = default;
};

}  // namespace gantry::host

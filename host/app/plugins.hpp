// host/app/plugins.hpp: owns the call engine, the registry and the loader, and connects them:
// loaded plugins can be called and are reloaded when their files change.
//
// Control thread.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "host/app/workers.hpp"
#include "host/calls/calls.hpp"
#include "host/config/gates.hpp"
#include "host/config/settings.hpp"
#include "host/loader/loader.hpp"
#include "host/observe/log.hpp"
#include "host/observe/metrics.hpp"
#include "host/registry/announced_lists.hpp"
#include "host/registry/registry.hpp"
#include "host/watch/watcher.hpp"

namespace gantry::host {

class Plugins {
 public:
  // `log` and `metrics` must outlive this. Loads and publishes the plugins that `settings` names.
  // The directory `state` keeps data between starts. Fails if no plugin can be loaded at all, or
  // one of `required` was not loaded.
  static Result<std::unique_ptr<Plugins>> load(const Settings& settings,
                                               const std::vector<std::string>& required,
                                               const std::filesystem::path& state, Log& log,
                                               Metrics& metrics);
  ~Plugins();  // after unload(), or does it

  // Applies the settings that may change while the host serves: the plugins' settings and sources,
  // overrides and trust. An error changes nothing. Blocks until they are published or refused; any
  // thread.
  Status apply(const Settings& settings);

  // Stops and unloads all plugins. Calls must be drained, and no thread may be in apply(). False: a
  // plugin did not return from a call, so its code may still be on a thread's stack; this object
  // must not be destroyed and the process must exit as it is.
  bool unload();

  // The gates for writes that the environment opened at the start.
  GateSet open_gates() const { return open_gates_; }
  const Registry& registry() const { return registry_; }
  Calls& calls() { return *calls_; }
  Bus& bus() { return bus_; }
  Loader& loader() { return *loader_; }  // until unload()

 private:
  Plugins(const Settings& settings, Log& log, Metrics& metrics);
  void tell_of_changes();
  void rescan();
  void watch_sources();

  Log& log_;
  const GateSet open_gates_ = gates_of_environment();
  std::unique_ptr<Workers> workers_;  // outlives the generations that the registry keeps
  Registry registry_;
  std::unique_ptr<AnnouncedLists> told_;
  Bus bus_;
  std::unique_ptr<Calls> calls_;
  std::mutex follow_mutex_;
  bool follows_ = true;                         // with the mutex: the loader is there
  std::vector<std::filesystem::path> sources_;  // with the mutex: the watched paths
  Watcher watcher_{[this] { rescan(); }};
  std::unique_ptr<Loader> loader_;  // null after unload()
};

}  // namespace gantry::host

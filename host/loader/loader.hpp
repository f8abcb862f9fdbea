// host/loader/loader.hpp: brings plugins from files into the process and out of it again.
//
// Everything that runs a plugin's life (constructors, create, start, stop, destroy, unmapping)
// runs on the loader's own control thread, one step at a time. What a plugin does wrong refuses
// that plugin alone.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gantry/result.hpp>

#include "host/loader/batch.hpp"
#include "host/loader/instance.hpp"
#include "host/loader/log_sink.hpp"
#include "host/loader/plugin_state.hpp"

namespace gantry::host {

struct LoaderOptions {
  std::filesystem::path private_directory;  // for the copies that are mapped; made if missing
  HostServices* services = nullptr;         // required; outlives the loader
  LogSink log;
  std::shared_ptr<const Trust> trust;  // which files may be loaded; null: all
  std::map<std::string, PluginSettings, std::less<>> settings;  // by plugin name
  std::vector<std::string> overrides;  // plugins that may take built-in plugins' names
  // Runs a started plugin's self-check, on the control thread; it may give up on one that hangs.
  // Without it none is run.
  std::function<Status(const InstancePtr&)> self_check;
};

struct LoadResult {
  std::vector<InstancePtr> instances;  // started, providers before users
  std::vector<PluginState> refused;
};

struct UnloadResult {
  std::size_t unloaded = 0;  // unmapped, and checked to be
  std::size_t kept = 0;      // ended, but mapped on purpose: they do not promise to be unloadable
  std::size_t leaked = 0;    // ended and closed, yet still mapped
  std::size_t in_use = 0;    // not ended: someone still held them at the deadline
};

class Loader {
 public:
  static Result<std::unique_ptr<Loader>> create(LoaderOptions options);
  // Unloads what is loaded, waiting up to two seconds.
  ~Loader();

  // Loads everything in `sources`. Once per loader, before anything is published. Blocks.
  LoadResult load_all(const std::vector<PluginSource>& sources);

  // Ends all instances, users before providers, each as soon as nobody but the loader holds it.
  // Take them out of the registry first. Those still held at the deadline are left running and
  // mapped, since their code may be on a thread. Blocks; not from the control thread.
  UnloadResult unload_all(std::chrono::milliseconds deadline);

 private:
  struct State;
  explicit Loader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace gantry::host

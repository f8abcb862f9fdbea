// host/loader/loader_options.hpp: the loader's options and counters. Values.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gantry/result.hpp>

#include "host/plugin/generation.hpp"
#include "host/plugin/log_sink.hpp"
#include "host/plugin/plugin_publisher.hpp"
#include "host/plugin/plugin_state.hpp"
#include "host/trust/trust.hpp"

namespace gantry::host {

// Makes a generation that runs in a process of its own. It is created and started afterwards, as
// any other. `changed` is for Generation::health(): called after each change of it, on any thread,
// also after the loader is gone; it does not block.
using MakeWorker = std::function<Result<GenerationPtr>(Origin, SealedFilePtr, HostServices&,
                                                       LogSink, std::function<void()> changed)>;

// One member for each service of the host and each rule of the operator, so it has more than
// twelve.
// It has more than twelve members: one for each setting.
struct LoaderOptions {
  HostServices* services = nullptr;  // required; outlives the loader
  LogSink log;
  std::shared_ptr<const Trust> trust;  // which files may be loaded; null: all
  SettingsByName settings;             // by plugin name
  std::vector<std::string> overrides;  // plugins that may take built-in plugins' names
  // Runs a started plugin's self-check, on the control thread; it may give up on one that hangs.
  // Without it none is run.
  std::function<Status(const InstancePtr&)> self_check;
  // Gets the loaded plugins; outlives the loader. Null: they are only in load_all()'s result.
  PluginPublisher* publisher = nullptr;
  // JSON file in which disabled plugins are remembered; empty: they are not.
  std::filesystem::path remembered;
  // Without it every plugin runs in this process, unless it asks for a worker: then it is refused.
  MakeWorker make_worker;
  // Landlock's version, 0 where the kernel has none (worker/landlock.hpp). Without it a plugin that
  // is not built in runs in a worker only if its settings do without walls.
  int landlock = 0;
  // Directories that no worker may be granted: the state directory, the control socket's.
  std::vector<std::filesystem::path> closed;
  // Runs a file's trial in a worker process before it is mapped into this one. Not called for
  // built-in files at the first load. The old generation of an exclusive plugin may be alive
  // meanwhile: the trial must not start a second one. Control thread.
  std::function<Status(const Origin&, const SealedFilePtr&)> probe;
  // Called for each plugin whose state changed, after that was published; state "removed": the
  // plugin is gone. Control thread; must not wait for the loader.
  std::function<void(const PluginState&)> report;
  // How long calls may hold an old generation before it is logged as stuck. For an exclusive plugin
  // also how long they may delay its replacement before the replacement is given up.
  std::chrono::milliseconds grace{30'000};
  // How many generations one plugin may have at once, retired ones included. The next one waits
  // until an older one is gone.
  std::size_t max_generations = 4;
};

struct UnloadResult {
  std::size_t unloaded = 0;  // unmapped, and checked to be
  std::size_t kept = 0;      // ended, but mapped on purpose: they do not promise to be unloadable
  std::size_t leaked = 0;    // ended and closed, yet still mapped
  std::size_t in_use = 0;    // not ended: they had holders at the deadline
};

// Since the loader was made, for metrics.
struct LoaderCounts {
  std::size_t loaded = 0, failed = 0;              // generations that started, or failed to
  std::size_t unloaded = 0, kept = 0, leaked = 0;  // generations that ended, as in UnloadResult
  std::size_t draining = 0, stuck = 0;             // now; the stuck ones are among the draining
};

}  // namespace gantry::host

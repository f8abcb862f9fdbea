// host/loader/loader.hpp: brings plugins from files into the process, keeps them as the files are,
// and takes them out again.
//
// Everything that runs a plugin's life (constructors, create, start, stop, destroy, unmapping)
// runs on the loader's own control thread, one step at a time. What a plugin does wrong refuses
// that plugin alone. Calls are never waited for there: an old generation is ended when the last one
// let go of it.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

#include "host/loader/loader_options.hpp"
#include "host/loader/sources.hpp"
#include "host/plugin/admin.hpp"

namespace gantry::host {

struct LoadResult {
  std::vector<InstancePtr> instances;  // started, providers before users
  std::vector<PluginState> refused;
};

class Live;

class Loader final : public PluginAdmin {
 public:
  static Result<std::unique_ptr<Loader>> create(LoaderOptions options);
  // Unloads what is loaded, waiting up to two seconds. Nobody may be in rescan() or an operator's
  // command any more.
  ~Loader() override;

  // Makes `sources` the files that are loaded, from now on, and loads them. Blocks. The result
  // holds the instances: drop it where they are to be replaced.
  LoadResult load_all(const std::vector<PluginSource>& sources);

  // Has the control thread look whether files have changed, and follow them. Any thread; returns
  // at once; several calls may be answered by one look.
  void rescan();
  // The same, and waits until what it found is published or refused. Not on the control thread.
  void rescan_and_wait();

  // Another configuration: plugins whose settings differ get a new generation. Blocks until all is
  // published or refused. Not on the control thread.
  void set_settings(SettingsByName settings, std::vector<std::string> overrides,
                    std::vector<PluginSource> sources, std::shared_ptr<const Trust> trust);

  // What has to be watched: the sources and the files of load(). Any thread.
  std::vector<PluginSource> sources() const;
  LoaderCounts counts() const;  // any thread

  // Ends all instances, users before providers, each as soon as nobody but the loader holds it,
  // after taking them out of the outlet. Those still held at the deadline are left running and
  // mapped, since their code may be on a thread. Blocks; not on the control thread. The result
  // counts what went at this.
  UnloadResult unload_all(std::chrono::milliseconds deadline);

  // PluginAdmin
  std::vector<PluginState> list() const override;
  Result<PluginInfo> info(std::string_view name) const override;
  Status load(const std::filesystem::path& file) override;
  Status unload(std::string_view name) override;
  Status reload(std::string_view name) override;
  Status enable(std::string_view name) override;
  Status disable(std::string_view name) override;
  Status quarantine(std::string_view name, bool on) override;

 private:
  explicit Loader(std::unique_ptr<Live> live);
  std::unique_ptr<Live> live_;
};

}  // namespace gantry::host

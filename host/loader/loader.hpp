// host/loader/loader.hpp: brings plugins from files into the process, keeps them as the files are,
// and takes them out again.
//
// The steps of a plugin's life (constructors, create, start, stop, destroy, unmapping) run on the
// loader's control thread, one at a time. A plugin's fault refuses that plugin alone. The control
// thread never waits for calls: an old generation is ended when its last holder has dropped it.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

#include "host/base/change_signal.hpp"
#include "host/loader/loader_options.hpp"
#include "host/loader/sources.hpp"
#include "host/plugin/admin.hpp"

namespace gantry::host {

struct LoadResult {
  std::vector<InstancePtr> instances;  // started, providers before users
  std::vector<PluginState> refused;
};

class PluginManager;

class Loader final : public PluginAdmin {
 public:
  static Result<std::unique_ptr<Loader>> create(LoaderOptions options);
  // Unloads all plugins, waiting up to two seconds. No other thread may be in a member function.
  ~Loader() override;

  // Sets the files to follow and loads them. Blocks until all is published or refused. Not on the
  // control thread. The result holds the instances: while it lives none of them is ended.
  LoadResult load_all(const std::vector<PluginSource>& sources);

  // Has the control thread compare the files with the loaded plugins and apply the differences.
  // Any thread; returns at once; several calls may share one comparison.
  void rescan();

  // Applies another configuration: plugins whose settings differ get a new generation. Blocks until
  // all is published or refused. Not on the control thread.
  void set_settings(SettingsByName settings, std::vector<std::string> overrides,
                    std::vector<PluginSource> sources, std::shared_ptr<const Trust> trust);

  // The paths to watch: the sources and the files of load(). Any thread.
  std::vector<PluginSource> sources() const;
  LoaderCounts counts() const;  // any thread
  // Raised after the state of a plugin changed. Any thread.
  ChangeSignal& changed() const;

  // Withdraws all instances from the publisher and ends them, users before providers, each when it
  // has no holders. Instances held at the deadline stay running and mapped, since their code may be
  // on a thread. Blocks; not on the control thread. The result counts the instances of this call.
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
  explicit Loader(std::unique_ptr<PluginManager> manager);
  std::unique_ptr<PluginManager> manager_;
};

}  // namespace gantry::host

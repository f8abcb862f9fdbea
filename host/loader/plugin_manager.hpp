// host/loader/plugin_manager.hpp: keeps the loaded plugins as their files and settings are.
//
// Everything belongs to the control thread, but for what is marked. Internal to the loader.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/loader/control_requests.hpp"
#include "host/loader/control_thread.hpp"
#include "host/loader/disabled_plugins.hpp"
#include "host/loader/janitor.hpp"
#include "host/loader/loader_options.hpp"
#include "host/loader/plugin_table.hpp"
#include "host/loader/publication.hpp"
#include "host/loader/rollout.hpp"
#include "host/loader/seen_files.hpp"
#include "host/loader/start_attempt.hpp"

namespace gantry::host {

class PluginManager {
 public:
  using Clock = std::chrono::steady_clock;
  explicit PluginManager(LoaderOptions options);
  ~PluginManager();  // call unload_all() first

  // Any thread but the control thread: runs it there and waits.
  void run(const std::function<void()>& work) { control_.run(work); }
  void rescan() { requests_->ask(ControlRequest::rescan); }  // any thread
  const View& view() const { return publication_.view(); }   // any thread
  LoaderCounts counts() const;                               // any thread

  // Compares files and settings with the loaded plugins and applies the differences.
  void follow();
  void set_sources(std::vector<PluginSource> sources);
  void set_settings(SettingsByName settings, std::vector<std::string> overrides,
                    std::shared_ptr<const Trust> trust);
  // One more source, beside those of set_sources().
  void add_file(const std::filesystem::path& file);
  UnloadResult unload_all(Clock::time_point deadline);

  const LoaderOptions& options() const { return options_; }
  PluginTable& table() { return table_; }
  Publication& publication() { return publication_; }
  DisabledPlugins& disabled() { return disabled_; }

 private:
  struct Sources {
    std::vector<PluginSource> configured, added;
    std::vector<PluginSource> all() const;
  };

  void handle(ControlRequest request);
  std::optional<Clock::time_point> after_work();
  bool collect();

  LoaderOptions options_;
  DisabledPlugins disabled_;
  SeenFiles files_;
  Janitor janitor_;
  PluginTable table_;
  Publication publication_;
  StartOptions start_;
  Rollout rollout_;
  Sources sources_;
  bool ended_ = false;
  const std::shared_ptr<ControlRequests> requests_;
  ControlThread control_;  // last: its thread uses the others
};

}  // namespace gantry::host

#include "host/app/check.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "host/app/agent_names.hpp"
#include "host/app/options.hpp"
#include "host/app/plugin_keys.hpp"
#include "host/app/plugins.hpp"

namespace gantry::host {
namespace {

class ScratchState {
 public:
  ScratchState() {
    if (::mkdtemp(path_) == nullptr) path_[0] = '\0';
  }
  ~ScratchState() {
    std::error_code error;
    if (path_[0] != '\0') std::filesystem::remove_all(path_, error);
  }
  ScratchState(const ScratchState&) = delete;
  ScratchState& operator=(const ScratchState&) = delete;

  std::filesystem::path path() const { return path_; }

 private:
  char path_[27] = "/tmp/gantryd-check-XXXXXX";
};

Status first_refused(const std::vector<PluginState>& plugins) {
  for (const PluginState& plugin : plugins) {
    if (plugin.state != "refused") continue;
    return Status::invalid("the plugin " + plugin.file + " is refused: " + plugin.reason);
  }
  return {};
}

}  // namespace

Status check_paths(const CommandLine& line) {
  for (const auto& path : line.required_paths) {
    std::error_code error;
    if (std::filesystem::exists(path, error)) continue;
    return Status::invalid(path + ": there is no such file or directory of plugins; correct " +
                           "--plugin, --plugins or --builtin-plugins");
  }
  return {};
}

Status check_parts(const CommandLine& line, const std::vector<PluginKeys>& keys,
                   const Address& address, std::vector<EnvironmentKey> environment) {
  const ScratchState state;
  if (state.path().empty()) return Status::invalid("cannot make a directory in /tmp");
  Log log({.level = Level::info, .json = line.settings.log_format == "json", .fd = 1});
  const auto access = AgentAccess::open(
      access_options(line.settings, address, state.path(), std::move(environment)), log);
  log.flush();
  if (!access) return access.status();
  Metrics metrics;
  auto plugins = Plugins::load(with_plugin_keys(line.settings, keys, state.path()),
                               line.required_plugins, state.path(), log, metrics);
  log.flush();
  if (!plugins) return plugins.status();
  Status good = first_refused((*plugins)->loader().list());
  if (good && !line.settings.agents.empty()) {
    good = check_agents(*(*access)->file(), (*plugins)->registry(), (*plugins)->calls(), log);
    log.flush();
  }
  if ((*plugins)->unload()) return good;
  // Its code may be on a thread's stack, so it stays until the process exits.
  static_cast<void>(plugins->release());
  return good ? Status::failed("a plugin did not end") : good;
}

}  // namespace gantry::host

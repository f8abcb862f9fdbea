#include "host/app/check.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>

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

Status check_plugins(const CommandLine& line, const std::vector<PluginKeys>& keys) {
  const ScratchState state;
  if (state.path().empty()) return Status::invalid("cannot make a directory in /tmp");
  Log log({.level = Level::info, .json = line.settings.log_format == "json", .fd = 1});
  Metrics metrics;
  auto plugins = Plugins::load(with_plugin_keys(line.settings, keys, state.path()),
                               line.required_plugins, state.path(), log, metrics);
  log.flush();
  if (!plugins) return plugins.status();
  Status refused = first_refused((*plugins)->loader().list());
  if ((*plugins)->unload()) return refused;
  // Its code may be on a thread's stack, so it stays until the process exits.
  static_cast<void>(plugins->release());
  return refused ? Status::failed("a plugin did not end") : refused;
}

}  // namespace gantry::host

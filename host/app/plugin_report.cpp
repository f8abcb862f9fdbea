#include "host/app/plugin_report.hpp"

namespace gantry::host {

void PluginReport::say_loaded(const PluginState& plugin) {
  log_.write(Level::info, "plugin loaded",
             {{"plugin", plugin.name},
              {"version", plugin.version},
              {"generation", plugin.generation},
              {"file", plugin.file}});
}

void PluginReport::say_why(Level level, const char* what, const PluginState& plugin,
                           const std::string& why) {
  log_.write(level, what, {{"plugin", plugin.name}, {"file", plugin.file}, {"reason", why}});
}

void PluginReport::operator()(const PluginState& plugin) {
  if (plugin.state == "refused") {
    return say_why(Level::error, "plugin refused", plugin, plugin.reason);
  }
  if (plugin.generation == 0 || plugin.state == "removed") {
    const char* const what = plugin.state == "disabled" ? "plugin disabled" : "plugin removed";
    say_why(Level::info, what, plugin, plugin.reason);
    known_.erase(plugin.name);
    return;
  }
  Known& known = known_[plugin.name];
  if (known.generation != plugin.generation) say_loaded(plugin);
  if (known.failure != plugin.last_failure && !plugin.last_failure.empty()) {
    say_why(Level::error, "plugin not replaced", plugin, plugin.last_failure);
  }
  if (plugin.state == "waiting") say_why(Level::info, "plugin waits", plugin, plugin.reason);
  if (plugin.state == "quarantined") {
    say_why(Level::error, "plugin quarantined", plugin, plugin.reason);
  }
  if (plugin.state == "restarting") say_why(Level::warn, "plugin restarts", plugin, plugin.reason);
  known = {plugin.generation, plugin.state, plugin.last_failure};
}

}  // namespace gantry::host

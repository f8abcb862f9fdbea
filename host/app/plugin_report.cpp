#include "host/app/plugin_report.hpp"

namespace gantry::host {

void PluginReport::take(const PluginState& plugin) {
  std::lock_guard lock(mutex_);
  if (begun_) return say(plugin);
  std::erase_if(kept_, [&plugin](const PluginState& kept) {
    return kept.name == plugin.name && kept.file == plugin.file;
  });
  kept_.push_back(plugin);
}

void PluginReport::take_line(std::string_view plugin, Level level, std::string_view text,
                             bool required) {
  std::lock_guard lock(mutex_);
  if (begun_ || !required) return log_.write(level, text, {{"plugin", plugin}});
  lines_.push_back({std::string(plugin), level, std::string(text)});
}

void PluginReport::begin() {
  std::lock_guard lock(mutex_);
  for (const Line& line : lines_) log_.write(line.level, line.text, {{"plugin", line.plugin}});
  lines_.clear();
  for (const PluginState& plugin : kept_) say(plugin);
  say_all_loaded();
  kept_.clear();
  begun_ = true;
}

void PluginReport::say_all_loaded() {
  std::string names;
  for (const auto& [name, known] : known_) names += (names.empty() ? "" : " ") + name;
  log_.write(
      Level::info, "plugins loaded",
      {{"count", static_cast<std::uint64_t>(known_.size())}, {"plugins", std::string_view(names)}});
}

void PluginReport::say_loaded(const PluginState& plugin) {
  log_.write(begun_ ? Level::info : Level::debug, "plugin loaded",
             {{"plugin", plugin.name},
              {"version", plugin.version},
              {"generation", plugin.generation},
              {"file", plugin.file}});
}

void PluginReport::say_why(Level level, const char* what, const PluginState& plugin,
                           const std::string& why) {
  log_.write(level, what, {{"plugin", plugin.name}, {"file", plugin.file}, {"reason", why}});
}

void PluginReport::say(const PluginState& plugin) {
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

// host/app/plugin_report.hpp: logs changes of plugins' states.
//
// Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "host/observe/log.hpp"
#include "host/plugin/plugin_state.hpp"

namespace gantry::host {

class PluginReport {
 public:
  // `log` must outlive it.
  explicit PluginReport(Log& log) : log_(log) {}

  // Until begin() it keeps the last state of each plugin.
  void take(const PluginState& plugin);
  // A line that a plugin wrote. Until begin() those of a required plugin are kept, and are dropped
  // if the server does not start: its one error says why.
  void take_line(std::string_view plugin, Level level, std::string_view text, bool required);
  // Writes what was kept, with one line for all plugins that were loaded; from then on each change
  // has a line. Any thread.
  void begin();

 private:
  struct Line {
    std::string plugin;
    Level level;
    std::string text;
  };
  void say(const PluginState& plugin);
  void say_all_loaded();
  struct Known {
    std::uint64_t generation = 0;
    std::string state, failure;
  };
  void say_loaded(const PluginState& plugin);
  void say_why(Level level, const char* what, const PluginState& plugin, const std::string& why);

  Log& log_;
  std::mutex mutex_;  // of the members below
  bool begun_ = false;
  std::vector<PluginState> kept_;
  std::vector<Line> lines_;             // kept
  std::map<std::string, Known> known_;  // that serve, by name
};

}  // namespace gantry::host

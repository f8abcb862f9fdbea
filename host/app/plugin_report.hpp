// host/app/plugin_report.hpp: logs changes of plugins' states.
//
// One thread at a time: the loader's.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "host/observe/log.hpp"
#include "host/plugin/plugin_state.hpp"

namespace gantry::host {

class PluginReport {
 public:
  // `log` must outlive it.
  explicit PluginReport(Log& log) : log_(log) {}

  void operator()(const PluginState& plugin);

 private:
  struct Known {
    std::uint64_t generation = 0;
    std::string state, failure;
  };
  void say_loaded(const PluginState& plugin);
  void say_why(Level level, const char* what, const PluginState& plugin, const std::string& why);

  Log& log_;
  std::map<std::string, Known> known_;  // that serve, by name
};

}  // namespace gantry::host

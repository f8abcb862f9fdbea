// host/loader/view.hpp: how all plugins stand, for those who ask. Any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "host/loader/sources.hpp"
#include "host/plugin/outlet.hpp"
#include "host/plugin/plugin_state.hpp"

namespace gantry::host {

class View {
 public:
  // Of serving plugins `outlet` (or null) knows whether they wait for another.
  explicit View(const PluginOutlet* outlet) : outlet_(outlet) {}

  std::vector<PluginState> list() const;  // by name

  // Replaces what is shown. The states that differ from before in what an operator cares about;
  // those that are gone are "removed".
  // Calls that are answered but not over are read from `counts`, by plugin, at each list().
  using Counts = std::multimap<std::string, Instance::CallCount>;
  std::vector<PluginState> show(std::vector<PluginState> states, std::set<std::string> pending,
                                Counts counts);

  // Waits until `name` is not on its way from one generation to the next; empty: nobody is.
  void wait_settled(std::string_view name) const;

  std::vector<PluginSource> sources() const;
  void set_sources(std::vector<PluginSource> sources);

 private:
  void overlay(std::vector<PluginState>& states) const;

  const PluginOutlet* const outlet_;
  mutable std::mutex mutex_;
  mutable std::condition_variable settled_;
  std::vector<PluginState> states_;
  Counts counts_;
  std::vector<PluginState> told_;  // as they were reported last
  std::set<std::string> pending_;
  std::vector<PluginSource> sources_;
};

}  // namespace gantry::host

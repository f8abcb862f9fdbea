// host/loader/view.hpp: the states of all plugins, for operators and metrics. Any thread.
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

#include "host/base/change_signal.hpp"
#include "host/loader/sources.hpp"
#include "host/plugin/plugin_publisher.hpp"
#include "host/plugin/plugin_state.hpp"

namespace gantry::host {

class View {
 public:
  // `publisher` (or null) knows which serving plugins wait for another plugin.
  explicit View(const PluginPublisher* publisher) : publisher_(publisher) {}

  std::vector<PluginState> list() const;  // by name
  // Raised after show() had news.
  ChangeSignal& changed() const { return changed_; }

  // Replaces the states. Returns those that changed in a way an operator cares about; plugins that
  // are gone have the state "removed". `counts`, by plugin, are read at each list(): calls that
  // were answered but have not returned.
  using Counts = std::multimap<std::string, Instance::CallCount>;
  std::vector<PluginState> show(std::vector<PluginState> states, std::set<std::string> pending,
                                Counts counts);

  // Waits until the plugin is not between two generations. An empty name: until no plugin is.
  void wait_settled(std::string_view name) const;

  std::vector<PluginSource> sources() const;
  void set_sources(std::vector<PluginSource> sources);

 private:
  void overlay(std::vector<PluginState>& states) const;

  const PluginPublisher* const publisher_;
  mutable ChangeSignal changed_;
  mutable std::mutex mutex_;
  mutable std::condition_variable settled_;
  std::vector<PluginState> states_;
  Counts counts_;
  std::vector<PluginState> told_;  // as they were reported last
  std::set<std::string> pending_;
  std::vector<PluginSource> sources_;
};

}  // namespace gantry::host

// Plugins that only remember what was asked of them.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

#include "host/plugin/admin.hpp"

namespace gantry::host {

class FakePlugins final : public PluginAdmin {
 public:
  FakePlugins() {
    add("alpha", "/plugins/alpha.so");
    add("beta", "/plugins/beta.so");
  }

  std::vector<PluginState> list() const override {
    std::lock_guard lock(mutex_);
    return states_;
  }
  Result<PluginInfo> info(std::string_view name) const override {
    std::lock_guard lock(mutex_);
    for (const PluginState& state : states_) {
      if (state.name != name) continue;
      return PluginInfo{state, "{\n\"name\":\"x\"}", R"({"tools":["t"]})", ""};
    }
    return Status::not_found("there is no plugin '" + std::string(name) + "'");
  }
  Status load(const std::filesystem::path& file) override {
    if (Status status = note("load " + file.string()); !status) return status;
    add(file.stem(), file);
    return {};
  }
  Status unload(std::string_view name) override {
    if (Status status = note("unload " + std::string(name)); !status) return status;
    std::lock_guard lock(mutex_);
    std::erase_if(states_, [&](const PluginState& state) { return state.name == name; });
    return {};
  }
  Status reload(std::string_view name) override { return note("reload " + std::string(name)); }
  Status enable(std::string_view name) override { return note("enable " + std::string(name)); }
  Status disable(std::string_view name) override { return note("disable " + std::string(name)); }
  Status quarantine(std::string_view name, bool on) override {
    return note((on ? "quarantine " : "lift ") + std::string(name));
  }

  std::vector<std::string> asked() const {
    std::lock_guard lock(mutex_);
    return asked_;
  }

  Status next;                   // what the next changes answer
  std::function<void()> before;  // runs in each change

 private:
  void add(std::string name, std::string file) {
    std::lock_guard lock(mutex_);
    PluginState state;
    state.name = std::move(name);
    state.file = std::move(file);
    state.version = "1.2.3";
    state.generation = 4;
    state.state = "serving";
    states_.push_back(std::move(state));
  }
  Status note(std::string what) {
    if (before) before();
    std::lock_guard lock(mutex_);
    asked_.push_back(std::move(what));
    return next;
  }

  mutable std::mutex mutex_;
  std::vector<PluginState> states_;
  std::vector<std::string> asked_;
};

}  // namespace gantry::host

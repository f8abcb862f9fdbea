// tests/host/loader/live_fixture.hpp: a live loader over a folder of plugins and a registry.
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "host/registry/registry.hpp"
#include "tests/host/loader/loader_fixture.hpp"

namespace gantry::host::testing {

using namespace std::chrono_literals;

// The call of the fixtures' tool "wait": it stays inside until `go`.
struct Gate {
  std::atomic<int> entered = 0, go = 0;
  gantry_call* call() { return reinterpret_cast<gantry_call*>(this); }
};
static_assert(sizeof(Gate) == 2 * sizeof(int));

template <class Condition>
bool eventually(Condition condition, std::chrono::milliseconds limit = 10s) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(1ms);
  }
  return true;
}

class LiveTest : public LoaderTest {
 protected:
  LiveTest() {
    fs::create_directory(folder);
    options.publisher = &registry;
    options.self_check = [](const InstancePtr& plugin) {
      const gantry_status status = plugin->invoke("self_check", "", nullptr);
      return status < 0 ? Status(status, "") : Status::ok();
    };
    services.on_offer = [this](Instance& instance, std::vector<ItemSpec> items) {
      return registry.set_offer(instance, std::move(items));
    };
  }
  void TearDown() override {
    Registry::release_cached();
    close_loader();
  }

  // As a careful build does it: written aside, then renamed.
  void put(const std::string& build, const std::string& name = "live.so") {
    const fs::path aside = folder / ("." + name + ".new");
    fs::copy_file(fixture("good/" + build), aside, fs::copy_options::overwrite_existing);
    fs::rename(aside, folder / name);
  }
  void begin() {
    loader().load_all({{folder, false}});
    Registry::release_cached();
  }
  void follow() {
    loader().load_all(loader().sources());
    Registry::release_cached();
  }
  void swap(const std::string& build, const std::string& name = "live.so") {
    put(build, name);
    follow();
  }

  // Any thread; what a tool answers now, 0 when no plugin offers it.
  int call(const std::string& tool, gantry_call* with = nullptr) {
    const InstancePtr plugin = owner(tool);
    return plugin ? plugin->invoke("tool", tool, with) : 0;
  }
  InstancePtr owner(const std::string& tool) {
    const SnapshotPtr snapshot = registry.current();
    const auto found = snapshot->tool_by_name.find(tool);
    InstancePtr plugin = found == snapshot->tool_by_name.end() ? nullptr : found->second->plugin;
    Registry::release_cached();
    return plugin;
  }
  PluginState state(const std::string& name = "live") {
    for (const PluginState& state : loader().list()) {
      if (state.name == name) return state;
    }
    return {};
  }
  // Nothing of this loader is mapped but what serves.
  bool only_serving_left() {
    return eventually([&] { return loader().counts().draining == 0; });
  }
  // Libraries that this test has mapped.
  std::size_t mapped() const {
    std::set<std::string> now = mapped_inodes();
    for (const std::string& inode : mapped_before_) now.erase(inode);
    return now.size();
  }

  Registry registry;
  const fs::path folder = directory.path() / "plugins";
  const std::set<std::string> mapped_before_ = mapped_inodes();
};

// A call that is inside a generation until it is let out.
class Inside {
 public:
  Inside(InstancePtr plugin, std::string tool = "wait")
      : thread_([this, plugin = std::move(plugin), tool]() mutable {
          answer_ = plugin->invoke("tool", tool, gate_.call());
          plugin.reset();
        }) {
    while (gate_.entered == 0) std::this_thread::sleep_for(1ms);
  }
  ~Inside() { out(); }
  int out() {
    gate_.go = 1;
    if (thread_.joinable()) thread_.join();
    return answer_;
  }

 private:
  Gate gate_;
  int answer_ = 0;
  std::thread thread_;
};

}  // namespace gantry::host::testing

// tests/host/registry/fake_plugin.hpp: an instance without a library behind it.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/plugin/host_handle.hpp"
#include "host/registry/registry.hpp"

namespace gantry::host::testing {

inline ItemSpec tool(std::string name) {
  ItemSpec spec;
  spec.kind = "tool";
  spec.name = std::move(name);
  spec.input_schema = R"({"type":"object"})";
  return spec;
}

inline ItemSpec numbered(std::string name, int order) {
  ItemSpec spec = tool(std::move(name));
  spec.order = order;
  return spec;
}

inline ItemSpec service(std::string name) {
  ItemSpec spec;
  spec.kind = "service";
  spec.name = std::move(name);
  return spec;
}

class FakePlugin : public Instance {
 public:
  FakePlugin(std::string name, std::vector<ItemSpec> items) {
    static std::atomic<std::uint64_t> next{1};
    manifest_.name = std::move(name);
    manifest_.version = "1.0.0";
    for (const ItemSpec& item : items) {
      if (item.kind == "service") manifest_.offers.push_back(item.name);
    }
    manifest_.items = std::move(items);
    generation_ = next++;
    host_.instance = this;
    handle_ = &host_;
  }

  FakePlugin& builtin() { return builtin_ = true, *this; }
  FakePlugin& overrides() { return settings_.may_override = true, *this; }
  FakePlugin& needs(std::string id) { return plugin_needs_.push_back(std::move(id)), *this; }
  FakePlugin& offers(std::string id) { return manifest_.offers.push_back(std::move(id)), *this; }

  gantry_status invoke(std::string_view, std::string_view, gantry_call*) noexcept override {
    return GANTRY_OK;
  }

 private:
  gantry_host host_;
};

inline std::shared_ptr<FakePlugin> plugin(std::string name, std::vector<ItemSpec> items) {
  return std::make_shared<FakePlugin>(std::move(name), std::move(items));
}

class RegistryTest : public ::testing::Test {
 protected:
  void TearDown() override { Registry::release_cached(); }

  std::vector<std::string> tools() const {
    std::vector<std::string> names;
    for (const ItemPtr& item : registry.current()->tools) names.push_back(item->spec.name);
    return names;
  }
  std::string owner(std::string_view tool_name) const {
    const auto& by_name = registry.current()->tool_by_name;
    const auto found = by_name.find(tool_name);
    return found == by_name.end() ? "nobody" : found->second->plugin->manifest().name;
  }
  PluginState state(std::string_view name) const {
    for (const PluginState& state : registry.current()->plugins) {
      if (state.name == name) return state;
    }
    return {};
  }

  Registry registry;
};

using Names = std::vector<std::string>;

}  // namespace gantry::host::testing

// tests/host/loader/loader_fixture.hpp: a loader over a fresh directory and services that do
// nothing but exist.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <sys/stat.h>

#include "host/loader/loader.hpp"
#include "tests/host/plugin/plugin_files.hpp"

namespace gantry::host::testing {

namespace fs = std::filesystem;

class FakeServices : public HostServices {
 public:
  const void* service(std::string_view id) const override {
    for (std::string_view known :
         {GANTRY_CALL_SERVICE, GANTRY_INVOKE_SERVICE, GANTRY_CONFIG_SERVICE, GANTRY_SECRET_SERVICE,
          GANTRY_CATALOG_SERVICE}) {
      if (id == known) return this;
    }
    return nullptr;
  }
  Status offer(Instance& instance, std::string_view json) override {
    auto items = parse_items(json, instance.manifest());
    if (!items) return items.status();
    if (on_offer) return on_offer(instance, *items);
    return Status::ok();
  }
  std::function<Status(Instance&, std::vector<ItemSpec>)> on_offer;
};

class LoaderTest : public ::testing::Test {
 protected:
  Loader& loader() {
    if (!loader_) {
      options.services = given ? given : &services;
      options.log = [this](std::string_view plugin, int level, std::string_view text) {
        std::lock_guard lock(mutex_);
        lines_.push_back(std::string(plugin) + " " + std::to_string(level) + " " +
                         std::string(text));
      };
      auto made = Loader::create(options);
      EXPECT_TRUE(made.is_ok()) << made.message();
      loader_ = std::move(made).value();
    }
    return *loader_;
  }
  LoadResult load(const std::vector<std::string>& fixtures) {
    std::vector<PluginSource> sources;
    for (const std::string& name : fixtures) sources.push_back({fixture(name), false});
    return loader().load_all(sources);
  }
  void close_loader() { loader_.reset(); }
  bool logged(const std::string& line) {
    std::lock_guard lock(mutex_);
    for (const std::string& have : lines_) {
      if (have == line) return true;
    }
    return false;
  }

  TemporaryDirectory directory;
  FakeServices services;
  HostServices* given = nullptr;  // instead of `services`
  LoaderOptions options;

 private:
  std::mutex mutex_;
  std::vector<std::string> lines_;
  std::unique_ptr<Loader> loader_;
};

inline std::vector<std::string> names_of(const LoadResult& result) {
  std::vector<std::string> names;
  for (const InstancePtr& instance : result.instances) names.push_back(instance->manifest().name);
  return names;
}

}  // namespace gantry::host::testing

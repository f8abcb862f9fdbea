#include "host/config/changes.hpp"

#include <gtest/gtest.h>

namespace gantry::host {
namespace {

using Keys = std::vector<std::string>;

TEST(ChangedKeys, NamesDifferencesByGroupAndPlugin) {
  Settings before;
  before.plugins["gone"];
  before.plugins["same"].config = R"({"a":{"b":1}})";
  before.plugins["other"].config = R"({"a":{"b":1}})";
  Settings after = before;
  EXPECT_EQ(changed_keys(before, after), Keys{});
  after.log_level = "debug";
  after.plugin_files.push_back("/x.so");
  after.plugins.erase("gone");
  after.plugins["new"].enabled = false;
  after.plugins["other"].config = R"({"a":{"b":2}})";
  after.http.io_threads = 2;
  after.limits.calls.max_running = 0;
  const Keys keys = changed_keys(before, after);
  EXPECT_EQ(Keys(keys.begin(), keys.begin() + 2), (Keys{"plugin_files", "log_level"}));
  const Keys rest(keys.begin() + 2, keys.end());
  EXPECT_EQ(rest, (Keys{"plugins.new", "plugins.other", "plugins.gone", "http.io_threads",
                        "limits.max_calls"}));
}

TEST(ChangedKeys, ASecretIsNamedByItsPluginAlone) {
  Settings before, after;
  before.plugins["p"].secrets["token"] = {"OLD", ""};
  after.plugins["p"].secrets["token"] = {"NEW", ""};
  EXPECT_EQ(changed_keys(before, after), Keys{"plugins.p"});
}

TEST(ChangedKeys, OnlyThoseOfPluginsAreTakenOverByARunningServer) {
  for (const char* key :
       {"plugins.data", "plugin_directories", "plugin_files", "overrides", "trust.keys"}) {
    EXPECT_TRUE(is_live(key)) << key;
  }
  for (const char* key : {"listen", "http.io_threads", "limits.max_calls", "builtin_plugins",
                          "log_level", "pluginsx"}) {
    EXPECT_FALSE(is_live(key)) << key;
  }
}

}  // namespace
}  // namespace gantry::host

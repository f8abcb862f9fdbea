// The plugin's events after commits of other programs.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "edge/tests/plugin_under_test.hpp"

namespace gantry::data::events_test {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kTables = R"(
  CREATE TABLE a(id INTEGER PRIMARY KEY); CREATE TABLE b(id INTEGER PRIMARY KEY);)";

std::vector<std::string> told(const gantry::testing::FakeHost& host) {
  std::vector<std::string> out;
  for (const auto& event : host.events()) out.push_back(event.kind + " " + event.uri);
  return out;
}

// The events, once there are at least that many, or after 20 s.
std::vector<std::string> events_of(const gantry::testing::FakeHost& host, std::size_t count) {
  const auto end = Clock::now() + std::chrono::seconds(20);
  while (host.events().size() < count && Clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return told(host);
}

// A count depends on its reader: the host finds out which subscribers a commit concerns.
TEST(DataEvents, TellOfEveryCountAfterACommitAndOfTheSchemaThatChanged) {
  PluginUnderTest plugin(kTables, R"(,"watch_interval_ms":10)");
  ASSERT_TRUE(plugin.host.start());
  plugin.host.watch({"data://a/count", "data://a/schema", "data://b/count", "data://b/schema"});
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));  // a few looks
  ASSERT_EQ(told(plugin.host), std::vector<std::string>{});
  testing::Writer(plugin.database.path()).run("ALTER TABLE a ADD COLUMN more");
  events_of(plugin.host, 3);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  auto events = told(plugin.host);
  std::sort(events.begin(), events.end());
  events.erase(std::unique(events.begin(), events.end()), events.end());
  EXPECT_EQ(events, (std::vector<std::string>{"updated data://a/count", "updated data://a/schema",
                                              "updated data://b/count"}));
}

TEST(DataEvents, TellOfANewTableWithoutASubscriber) {
  PluginUnderTest plugin(kTables, R"(,"watch_interval_ms":10)");
  ASSERT_TRUE(plugin.host.start());
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  testing::Writer(plugin.database.path()).run("CREATE TABLE c(id INTEGER)");
  EXPECT_EQ(events_of(plugin.host, 1), std::vector<std::string>{"list_changed "});
}

TEST(DataEvents, AreLookedForOnceASecondWithoutASubscriber) {
  PluginUnderTest plugin(kTables, R"(,"watch_interval_ms":10)");
  ASSERT_TRUE(plugin.host.start());
  testing::Writer writer(plugin.database.path());
  writer.run("CREATE TABLE c(id INTEGER)");
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_EQ(told(plugin.host), std::vector<std::string>{})
      << "it looked before the second was over";
  EXPECT_EQ(events_of(plugin.host, 1).size(), 1u);
  plugin.host.watch({"data://a/count"});
  // Until it has seen the subscriptions.
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  const auto begin = Clock::now();
  writer.run("CREATE TABLE d(id INTEGER)");
  // The first event, the count, and the list.
  EXPECT_EQ(events_of(plugin.host, 3).size(), 3u);
  EXPECT_LT(Clock::now() - begin, std::chrono::milliseconds(500));
}

TEST(DataEvents, AreLookedForAsOftenAsTheConfigurationSays) {
  PluginUnderTest plugin(kTables, R"(,"watch_interval_ms":60000)");
  ASSERT_TRUE(plugin.host.start());
  plugin.host.watch({"data://a/count"});
  testing::Writer(plugin.database.path()).run("INSERT INTO a VALUES(1)");
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  EXPECT_EQ(told(plugin.host), std::vector<std::string>{});
  const auto begin = Clock::now();
  EXPECT_TRUE(plugin.host.stop());
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(10)) << "stopping does not wait for a look";
}

TEST(DataEvents, TellAtOnceOfAWriteOfThisProcess) {
  testing::TestDatabase database(kTables);
  auto options = PluginUnderTest::options(database.path(), R"(,"watch_interval_ms":60000)");
  options.writes_up_to = "write";
  ::setenv("GANTRY_ALLOW_WRITE_TOOLS", "yes", 1);
  gantry::testing::FakeHost host(gantry::testing::Loaded{GANTRY_PLUGIN_FILE}, options);
  ASSERT_TRUE(host.start());
  ::unsetenv("GANTRY_ALLOW_WRITE_TOOLS");
  host.watch({"data://a/count"});
  const std::string create = R"({"op":"create","args":{"class_name":"a","data":{}}})";
  const auto begin = Clock::now();
  for (int writes = 0; host.events().empty() && writes < 100; ++writes) {
    ASSERT_EQ(host.call_service("gantry.data/1", create).status, GANTRY_OK);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_EQ(told(host).front(), "updated data://a/count");
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(20));
}

TEST(DataEvents, WithoutAGateAnAdminCallWritesNothing) {
  testing::TestDatabase database(kTables);
  auto options = PluginUnderTest::options(database.path(), "");
  options.writes_up_to = "admin";
  gantry::testing::FakeHost host(gantry::testing::Loaded{GANTRY_PLUGIN_FILE}, options);
  ASSERT_TRUE(host.start());
  const auto refused =
      host.call_service("gantry.data/1", R"({"op":"create","args":{"class_name":"a","data":{}}})");
  EXPECT_EQ(refused.error_code, "access_denied");
  EXPECT_THAT(refused.details, ::testing::HasSubstr("GANTRY_ALLOW_WRITE_TOOLS"));
}

TEST(DataEvents, ACallThatMayNotWriteIsRefused) {
  testing::TestDatabase database(kTables);
  ::setenv("GANTRY_ALLOW_WRITE_TOOLS", "on", 1);
  gantry::testing::FakeHost host(gantry::testing::Loaded{GANTRY_PLUGIN_FILE},
                                 PluginUnderTest::options(database.path(), ""));
  ASSERT_TRUE(host.start());
  ::unsetenv("GANTRY_ALLOW_WRITE_TOOLS");
  const auto refused =
      host.call_service("gantry.data/1", R"({"op":"create","args":{"class_name":"a","data":{}}})");
  EXPECT_EQ(refused.error_code, "permission_denied");
}

TEST(DataEvents, AnIntervalThatMakesNoSenseRefusesThePlugin) {
  PluginUnderTest plugin(kTables, R"(,"watch_interval_ms":0)");
  const Status status = plugin.host.start();
  EXPECT_FALSE(status);
  EXPECT_THAT(status.message(), ::testing::HasSubstr("watch_interval_ms"));
}

}  // namespace
}  // namespace gantry::data::events_test

// The plugin's resources, entered as a host does.
#include <gantry/testing/fake_host.hpp>
#include <gantry/testing/matchers.hpp>

#include "edge/tests/plugin_under_test.hpp"

namespace gantry::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kTables = R"(
  CREATE TABLE city(code TEXT PRIMARY KEY, name TEXT);
  CREATE TABLE "my cats"(id INTEGER PRIMARY KEY);
  INSERT INTO city VALUES('b','Bern'),('o','Oslo');)";

TEST(DataResources, HoldTheAnswersOfTheTools) {
  PluginUnderTest plugin(kTables);
  const auto count = plugin.host.read("data://city/count");
  ASSERT_TRUE(count.ok()) << count;
  ASSERT_EQ(count.contents.size(), 1u);
  EXPECT_EQ(count.contents[0].uri, "data://city/count");
  EXPECT_EQ(count.contents[0].mime_type, "application/json");
  EXPECT_EQ(count.contents[0].body, R"({"class_name":"city","count":2})");
  const auto schema = plugin.host.read("data://city/schema");
  ASSERT_EQ(schema.contents.size(), 1u) << schema;
  EXPECT_EQ(
      schema.contents[0].body,
      plugin.host.call_service("gantry.data/1", R"({"op":"schema","args":{"class_name":"city"}})")
          .part("meta"));
  const auto samples = plugin.host.read("data://my%20cats/samples");
  ASSERT_EQ(samples.contents.size(), 1u) << samples;
  EXPECT_EQ(samples.contents[0].body, R"({"class_name":"my cats","results":[]})");
}

TEST(DataResources, AreReadUnderTheAgentsScopeWhichIsNeverReplacedByADefault) {
  PluginUnderTest plugin(kTables);
  gantry::testing::CallOptions options;
  options.agent_scope =
      R"({"agent":"a","filters":[{"city":{"code":"b"}}],"fingerprint":"0123456789abcdef"})";
  const auto count = plugin.host.read("data://city/count", options);
  ASSERT_EQ(count.contents.size(), 1u) << count;
  EXPECT_EQ(count.contents[0].body, R"({"class_name":"city","count":1})");
  for (const char* unreadable : {"{", "{}", R"({"fingerprint":"f","tenant_id":""})",
                                 R"({"fingerprint":"f","narrower":1})"}) {
    options.agent_scope = unreadable;
    const auto refused = plugin.host.read("data://city/count", options);
    EXPECT_EQ(refused.error_code, "internal_error") << unreadable;
  }
}

TEST(DataResources, OfAnAbsentClassAreNotFound) {
  PluginUnderTest plugin(kTables);
  const auto reply = plugin.host.read("data://citty/count");
  EXPECT_FALSE(reply.ok());
  EXPECT_EQ(reply.error_code, "not_found");
  EXPECT_THAT(reply.message, HasSubstr("did you mean 'city'"));
}

TEST(DataResources, AreListedByClass) {
  PluginUnderTest plugin(kTables);
  EXPECT_THAT(plugin.host.list("data://{class}/schema").listed,
              ElementsAre("data://city/schema", "data://my%20cats/schema"));
  EXPECT_THAT(plugin.host.list("data://{class}/samples").listed,
              ElementsAre("data://city/samples", "data://my%20cats/samples"));
}

TEST(DataResources, CompleteClassNamesInAnyCase) {
  PluginUnderTest plugin(kTables);
  EXPECT_THAT(plugin.host.complete("data://{class}/count", "class", "MY").values,
              ElementsAre("my cats"));
  EXPECT_THAT(plugin.host.complete("data://{class}/count", "class", "x").values, ElementsAre());
}

TEST(DataResources, CompleteAtMostAHundredAndSayHowManyThereAre) {
  std::string tables;
  for (int i = 0; i < 120; ++i) tables += "CREATE TABLE t" + std::to_string(i) + "(id INTEGER);";
  PluginUnderTest plugin(tables);
  const auto reply = plugin.host.complete("data://{class}/schema", "class", "T");
  EXPECT_EQ(reply.values.size(), 100u);
  EXPECT_THAT(reply.structured, HasSubstr(R"("total":120,"hasMore":true)"));
}

TEST(DataResources, AreNotOfferedWithoutADatabase) {
  gantry::testing::FakeHost host(gantry::testing::Loaded{GANTRY_PLUGIN_FILE});
  ASSERT_TRUE(host.start());
  EXPECT_THAT(host.items("resource_template"), ElementsAre());
  EXPECT_THAT(host.items("service"), ElementsAre());
}

}  // namespace
}  // namespace gantry::data

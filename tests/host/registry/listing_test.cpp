#include <rapidjson/document.h>

#include "tests/host/registry/fake_plugin.hpp"

namespace gantry::host::testing::listing_test {
namespace {

using Listing = RegistryTest;

TEST_F(Listing, NumbersComeFirstThenPluginsThenTheirOwnOrder) {
  registry.set_plugins({plugin("b", {tool("z"), tool("a")}), plugin("a", {tool("m")}),
                        plugin("core", {numbered("query", 20), tool("extra")}),
                        plugin("disc", {numbered("list", 0)})},
                       {});
  EXPECT_EQ(tools(), (Names{"list", "query", "m", "z", "a", "extra"}));
}

TEST_F(Listing, StartsEmpty) {
  EXPECT_TRUE(registry.current()->tools.empty());
  EXPECT_EQ(registry.current()->version, 0u);
}

TEST_F(Listing, FindsItemsByName) {
  registry.set_plugins({plugin("a", {tool("find"), service("a/1")})}, {});
  const SnapshotPtr now = registry.current();
  EXPECT_EQ(now->tool_by_name.at("find"), now->tools[0].get());
  EXPECT_EQ(now->service_by_name.at("a/1"), now->services[0].get());
  EXPECT_FALSE(now->tool_by_name.contains("a/1"));
}

TEST_F(Listing, CompilesTheSchemas) {
  ItemSpec strict = tool("find");
  strict.input_schema = R"({"type":"object","required":["text"]})";
  registry.set_plugins({plugin("a", {strict})}, {});
  const Item* item = registry.current()->tool_by_name.at("find");
  rapidjson::Document arguments;
  arguments.Parse("{}");
  ASSERT_NE(item->input, nullptr);
  EXPECT_FALSE(item->input->validate(arguments));
  EXPECT_EQ(item->output, nullptr);
}

TEST_F(Listing, APluginWithABadSchemaIsRefused) {
  ItemSpec bad = tool("find");
  bad.input_schema = R"({"type":"text"})";
  registry.set_plugins({plugin("a", {bad}), plugin("b", {tool("other")})}, {});
  EXPECT_EQ(state("a").state, "refused");
  EXPECT_TRUE(state("a").reason.starts_with("a schema of \"find\": ")) << state("a").reason;
  EXPECT_EQ(tools(), Names{"other"});
}

TEST_F(Listing, KeepsThoseThatWereNotLoaded) {
  PluginState broken;
  broken.name = "broken";
  broken.state = "refused";
  broken.reason = "it is broken";
  registry.set_plugins({plugin("zeta", {}), plugin("alpha", {})}, {broken});
  Names names;
  for (const PluginState& each : registry.current()->plugins) names.push_back(each.name);
  EXPECT_EQ(names, (Names{"alpha", "broken", "zeta"}));
  EXPECT_EQ(state("broken").reason, "it is broken");
}

}  // namespace
}  // namespace gantry::host::testing::listing_test

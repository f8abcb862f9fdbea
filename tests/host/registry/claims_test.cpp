#include "tests/host/registry/fake_plugin.hpp"

namespace gantry::host::testing {
namespace {

using ClaimsOfNames = RegistryTest;

TEST_F(ClaimsOfNames, TheFirstPluginKeepsATool) {
  registry.set_plugins({plugin("first", {tool("find")}), plugin("second", {tool("find")})}, {});
  EXPECT_EQ(owner("find"), "first");
  EXPECT_EQ(state("first").state, "serving");
  EXPECT_EQ(state("second").state, "refused");
  EXPECT_EQ(state("second").reason,
            "it offers the tool \"find\", which the plugin \"first\" already offers; rename it or "
            "remove one of the two plugins");
}

TEST_F(ClaimsOfNames, ARefusedPluginOffersNothingAtAll) {
  registry.set_plugins(
      {plugin("first", {tool("find")}), plugin("second", {tool("other"), tool("find")})}, {});
  EXPECT_EQ(tools(), Names{"find"});
}

TEST_F(ClaimsOfNames, ABuiltInPluginKeepsItsToolAgainstAnEarlierOne) {
  auto own = plugin("own", {tool("find")});
  own->builtin();
  registry.set_plugins({plugin("stranger", {tool("find")}), own}, {});
  EXPECT_EQ(owner("find"), "own");
  EXPECT_EQ(state("stranger").state, "refused");
}

TEST_F(ClaimsOfNames, AnOverrideTakesABuiltInToolAndGivesItBack) {
  auto own = plugin("own", {tool("find"), tool("list")});
  own->builtin();
  auto stranger = plugin("stranger", {tool("find")});
  stranger->overrides();
  registry.set_plugins({own, stranger}, {});
  EXPECT_EQ(owner("find"), "stranger");
  EXPECT_EQ(owner("list"), "own");
  EXPECT_EQ(tools().size(), 2u);
  registry.set_plugins({own}, {});
  EXPECT_EQ(owner("find"), "own");
}

TEST_F(ClaimsOfNames, AnOverrideTakesNothingFromStrangers) {
  auto second = plugin("second", {tool("find")});
  second->overrides();
  registry.set_plugins({plugin("first", {tool("find")}), second}, {});
  EXPECT_EQ(owner("find"), "first");
}

TEST_F(ClaimsOfNames, APluginThatIsThereWinsOverANewcomer) {
  const auto old = plugin("zz-old", {tool("find")});
  registry.set_plugins({old}, {});
  registry.set_plugins({plugin("aa-new", {tool("find")}), old}, {});
  EXPECT_EQ(owner("find"), "zz-old");
}

TEST_F(ClaimsOfNames, AServiceHasOneOwnerToo) {
  registry.set_plugins({plugin("first", {service("a/1")}), plugin("second", {service("a/1")})}, {});
  EXPECT_EQ(state("second").state, "refused");
  EXPECT_EQ(registry.current()->service_by_name.at("a/1")->plugin->manifest().name, "first");
}

TEST_F(ClaimsOfNames, AToolAndAServiceMayShareAName) {
  registry.set_plugins({plugin("first", {tool("a")}), plugin("second", {service("a")})}, {});
  EXPECT_EQ(state("second").state, "serving");
}

}  // namespace
}  // namespace gantry::host::testing

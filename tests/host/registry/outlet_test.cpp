// What the loader needs of the registry: a look before it publishes, stand-ins, hidden plugins.
#include "tests/host/registry/fake_plugin.hpp"

namespace gantry::host::testing::outlet_test {
namespace {

using Outlet = RegistryTest;

TEST_F(Outlet, ReportsRefusalsWithoutPublishing) {
  const auto first = plugin("a", {tool("one")});
  registry.set_plugins({first}, {});
  const std::uint64_t version = registry.current()->version;
  const auto second = plugin("b", {tool("one")});
  const auto refusals = registry.check({second, first});
  ASSERT_EQ(refusals.size(), 1u);
  EXPECT_EQ(refusals[0].generation, second->generation());
  EXPECT_NE(refusals[0].reason.find("which the plugin \"a\" already offers"), std::string::npos);
  EXPECT_EQ(registry.current()->version, version);
  EXPECT_EQ(registry.publish({second, first}, {}).size(), 1u);
  EXPECT_EQ(owner("one"), "a");
}

TEST_F(Outlet, ANewGenerationOfAPluginKeepsItsPlaceBeforeNewcomers) {
  registry.set_plugins({plugin("a", {tool("one")})}, {});
  const auto next = plugin("a", {tool("one"), tool("two")});
  const auto refusals = registry.publish({plugin("b", {tool("two")}), next}, {});
  ASSERT_EQ(refusals.size(), 1u);
  EXPECT_EQ(owner("two"), "a");
}

class Double : public FakePlugin {
 public:
  explicit Double(const FakePlugin& of) : FakePlugin(of.manifest().name, {}) {
    generation_ = of.generation();
  }
};

TEST_F(Outlet, AStandInTakesOverTheCurrentOffer) {
  const auto first = plugin("a", {tool("one")});
  registry.set_plugins({first}, {});
  ASSERT_TRUE(registry.set_offer(*first, {tool("later")}));
  const auto stand_in = std::make_shared<Double>(*first);
  registry.publish({stand_in}, {});
  EXPECT_EQ(tools(), Names{"later"});
  EXPECT_EQ(registry.current()->tools[0]->plugin, stand_in);
  registry.publish({first}, {});
  EXPECT_EQ(tools(), Names{"later"});
  EXPECT_EQ(registry.current()->tools[0]->plugin, first);
}

TEST_F(Outlet, HidesAQuarantinedPluginAndKeepsItsOffer) {
  const auto first = plugin("a", {tool("one"), service("a.words/1")});
  const auto user = plugin("b", {tool("two")});
  user->needs("a.words/1");
  registry.set_plugins({first, user}, {});
  ASSERT_TRUE(registry.set_offer(*first, {tool("later"), service("a.words/1")}));
  PluginState hidden;
  hidden.name = "a";
  hidden.generation = first->generation();
  hidden.state = "quarantined";
  hidden.reason = "it failed";
  registry.publish({first, user}, {hidden});
  EXPECT_EQ(tools(), Names{});
  EXPECT_EQ(state("a").reason, "it failed");
  EXPECT_EQ(state("b").state, "waiting");
  registry.publish({first, user}, {});
  EXPECT_EQ(tools(), (Names{"later", "two"}));
}

TEST_F(Outlet, IgnoresTheOfferOfARetiredGeneration) {
  const auto old = plugin("a", {tool("one")});
  registry.set_plugins({old}, {});
  const auto next = plugin("a", {tool("one")});
  registry.set_plugins({next}, {});
  EXPECT_TRUE(registry.set_offer(*old, {tool("taken")}));
  const auto other = plugin("b", {tool("taken")});
  EXPECT_TRUE(registry.publish({next, other}, {}).empty());
  EXPECT_EQ(owner("taken"), "b");
}

TEST_F(Outlet, ForgetsTheOfferOfOneThatDidNotComeUp) {
  const auto failed = plugin("a", {});
  ASSERT_TRUE(registry.set_offer(*failed, {tool("taken")}));
  const auto other = plugin("b", {});
  EXPECT_FALSE(registry.set_offer(*other, {tool("taken")}));
  registry.forget(*failed);
  EXPECT_TRUE(registry.set_offer(*other, {tool("taken")}));
}

TEST_F(Outlet, ShowsStatesAndOffersWithoutKeepingAnythingAlive) {
  auto first = plugin("a", {tool("one")});
  const std::uint64_t generation = first->generation();
  registry.set_plugins({first}, {});
  EXPECT_EQ(registry.states().size(), 1u);
  EXPECT_EQ(registry.offer_of(generation).size(), 1u);
  EXPECT_TRUE(registry.offer_of(generation + 1).empty());
  registry.publish({}, {});
  EXPECT_EQ(first.use_count(), 1);
}

}  // namespace
}  // namespace gantry::host::testing::outlet_test

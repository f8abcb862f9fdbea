#include "tests/host/registry/fake_plugin.hpp"

namespace gantry::host::testing::offers_test {
namespace {

using Offers = RegistryTest;

TEST_F(Offers, ReplaceAllThatAPluginHad) {
  const auto one = plugin("one", {tool("a"), tool("b")});
  registry.set_plugins({one}, {});
  ASSERT_TRUE(registry.set_offer(*one, {tool("b"), tool("c")}));
  EXPECT_EQ(tools(), (Names{"b", "c"}));
}

TEST_F(Offers, ATakenNameIsDeniedAndTheOldOfferStays) {
  const auto one = plugin("one", {tool("a")});
  const auto two = plugin("two", {tool("b")});
  registry.set_plugins({one, two}, {});
  const Status status = registry.set_offer(*two, {tool("c"), tool("a")});
  EXPECT_EQ(status.code(), GANTRY_DENIED);
  EXPECT_EQ(status.message(),
            "the offer is refused: it offers the tool \"a\", which the plugin \"one\" already "
            "offers; rename it or remove one of the two plugins");
  EXPECT_EQ(tools(), (Names{"a", "b"}));
}

TEST_F(Offers, AServiceMustBeInTheManifest) {
  const auto one = plugin("one", {});
  registry.set_plugins({one}, {});
  EXPECT_EQ(registry.set_offer(*one, {service("a/1")}).message(),
            "the service \"a/1\" is not among the manifest's offers; add it there");
  one->offers("a/1");
  EXPECT_TRUE(registry.set_offer(*one, {service("a/1")}));
}

TEST_F(Offers, MadeWhileStartingCountFromTheFirstSnapshot) {
  const auto starting = plugin("starting", {});
  ASSERT_TRUE(registry.set_offer(*starting, {tool("found")}));
  EXPECT_TRUE(tools().empty());
  registry.set_plugins({starting}, {});
  EXPECT_EQ(tools(), Names{"found"});
}

TEST_F(Offers, MadeWhileStartingGuardTheirNames) {
  const auto one = plugin("one", {});
  const auto two = plugin("two", {});
  ASSERT_TRUE(registry.set_offer(*one, {tool("found")}));
  EXPECT_EQ(registry.set_offer(*two, {tool("found")}).code(), GANTRY_DENIED);
}

TEST_F(Offers, OfAPluginThatWasNotLoadedAreForgotten) {
  const auto gone = plugin("gone", {});
  const auto later = plugin("later", {});
  ASSERT_TRUE(registry.set_offer(*gone, {tool("found")}));
  registry.set_plugins({}, {});
  EXPECT_TRUE(registry.set_offer(*later, {tool("found")}));
}

TEST_F(Offers, OfAKnownPluginOutliveANewSet) {
  const auto one = plugin("one", {tool("a")});
  registry.set_plugins({one}, {});
  ASSERT_TRUE(registry.set_offer(*one, {tool("b")}));
  registry.set_plugins({one, plugin("two", {tool("c")})}, {});
  EXPECT_EQ(tools(), (Names{"b", "c"}));
}

TEST_F(Offers, ListenersHearOfChangedListsOnly) {
  int heard = 0;
  std::uint64_t version = 0;
  registry.on_lists_changed([&](const ListChanges&) {
    ++heard;
    version = registry.current()->version;
  });
  const auto one = plugin("one", {tool("a"), service("a/1")});
  registry.set_plugins({one}, {});
  EXPECT_EQ(heard, 1);
  ASSERT_TRUE(registry.set_offer(*one, {tool("a")}));  // clients do not see services
  EXPECT_EQ(heard, 1);
  ItemSpec changed = tool("a");
  changed.description = "Another sentence.";
  ASSERT_TRUE(registry.set_offer(*one, {changed}));
  EXPECT_EQ(heard, 2);
  EXPECT_EQ(version, registry.current()->version);
  EXPECT_EQ(version, 3u);
}

TEST_F(Offers, AListenerMayChangeTheOfferItself) {
  const auto one = plugin("one", {tool("a")});
  registry.on_lists_changed([&](const ListChanges&) {
    if (registry.current()->tools.size() != 1) return;
    EXPECT_TRUE(registry.set_offer(*one, {tool("a"), tool("b")}));
  });
  registry.set_plugins({one}, {});
  EXPECT_EQ(tools(), (Names{"a", "b"}));
}

}  // namespace
}  // namespace gantry::host::testing::offers_test

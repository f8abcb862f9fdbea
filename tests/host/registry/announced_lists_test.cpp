// What clients have to be told of a change, and what keeps plugins alive meanwhile: nothing.
#include "host/registry/announced_lists.hpp"

#include "tests/host/registry/fake_plugin.hpp"

namespace gantry::host::testing::announced_lists_test {
namespace {

using List = AnnouncedLists::List;

ItemSpec item(std::string kind, std::string name, std::string uri = "") {
  ItemSpec spec;
  spec.kind = std::move(kind);
  spec.name = std::move(name);
  spec.uri = std::move(uri);
  return spec;
}

class Told : public RegistryTest {
 protected:
  // The names of what has to be told after one plugin's offer goes through `offers`.
  Names told(List list, std::vector<std::vector<ItemSpec>> offers) {
    const auto one = plugin("one", std::move(offers.front()));
    registry.set_plugins({one}, {});
    AnnouncedLists lists(registry);
    for (std::size_t i = 1; i < offers.size(); ++i) {
      EXPECT_TRUE(registry.set_offer(*one, std::move(offers[i])));
    }
    Names names;
    for (const auto& difference : lists.take(list)) names.push_back(difference.name);
    EXPECT_TRUE(lists.take(list).empty()) << "it is told now";
    return names;
  }
};

TEST_F(Told, NamesNewAndRemovedItems) {
  const auto p = [](const char* name) { return item("prompt", name); };
  EXPECT_EQ(told(List::prompts, {{p("a"), p("b")}, {p("b"), p("c")}}), (Names{"c", "a"}));
  EXPECT_EQ(told(List::tools, {{tool("a")}, {tool("b")}}), (Names{"b", "a"}));
  EXPECT_EQ(told(List::tools, {{tool("a")}, {tool("a"), p("x")}}), Names{});
}

TEST_F(Told, ARevertedChangeIsNoDifference) {
  EXPECT_EQ(told(List::tools, {{tool("a")}, {tool("a"), tool("b")}, {tool("a")}}), Names{});
  EXPECT_EQ(told(List::tools, {{tool("a")}, {}, {tool("a")}}), Names{});
}

TEST_F(Told, ResourcesAndTemplatesAreOneList) {
  EXPECT_EQ(told(List::resources,
                 {{item("resource", "r", "x://a")}, {item("resource_template", "t", "x://a")}}),
            (Names{"t", "r"}));
}

TEST_F(Told, AChangedItemConcernsItsOldAndItsNewTier) {
  ItemSpec high = tool("a");
  high.tier = Tier::admin;
  const auto one = plugin("one", {tool("a"), tool("b")});
  registry.set_plugins({one}, {});
  AnnouncedLists lists(registry);
  ASSERT_TRUE(registry.set_offer(*one, {high, tool("b")}));
  EXPECT_EQ(lists.take(List::tools),
            (std::vector<AnnouncedLists::Difference>{{"a", Tier::admin}, {"a", Tier::readonly}}));
}

TEST_F(Told, ChangesHiddenFromClientsAreNotTold) {
  ItemSpec other = tool("a");
  other.timeout = std::chrono::milliseconds(5);
  other.non_blocking = other.blocking = true;
  EXPECT_EQ(told(List::tools, {{tool("a")}, {other}}), Names{});
  ItemSpec described = tool("a");
  described.description = "Another sentence.";
  EXPECT_EQ(told(List::tools, {{tool("a")}, {described}}), Names{"a"});
}

TEST_F(Told, AnotherOrderIsTheWholeList) {
  EXPECT_EQ(told(List::tools, {{tool("a"), tool("b")}, {tool("b"), tool("a")}}), (Names{"b", "a"}));
  EXPECT_EQ(told(List::tools, {{tool("a"), tool("b")}, {numbered("b", 1), numbered("a", 2)}}),
            (Names{"b", "a"}));
}

TEST_F(Told, ANewGenerationWithTheSameOfferIsNoDifference) {
  registry.set_plugins({plugin("one", {tool("a")})}, {});
  AnnouncedLists lists(registry);
  registry.set_plugins({plugin("one", {tool("a")})}, {});
  EXPECT_TRUE(lists.take(List::tools).empty());
}

TEST_F(Told, KeepsNoPluginAlive) {
  auto one = plugin("one", {tool("a"), item("prompt", "p"), item("resource", "r", "x://a")});
  registry.set_plugins({one}, {});
  AnnouncedLists lists(registry);
  registry.set_plugins({}, {});
  EXPECT_EQ(one.use_count(), 1);
  EXPECT_EQ(lists.take(List::tools).size(), 1u);
  EXPECT_EQ(one.use_count(), 1);
}

}  // namespace
}  // namespace gantry::host::testing::announced_lists_test

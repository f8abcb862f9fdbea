// Snapshots, changes and claims of every kind of item.
#include "host/registry/build.hpp"
#include "tests/host/registry/fake_plugin.hpp"

namespace gantry::host::testing::kinds_test {
namespace {

ItemSpec item(std::string kind, std::string name, std::string uri = "") {
  ItemSpec spec;
  spec.kind = std::move(kind);
  spec.name = std::move(name);
  spec.uri = std::move(uri);
  return spec;
}
ItemSpec prompt(std::string name) { return item("prompt", std::move(name)); }
ItemSpec resource(std::string uri, std::string name = "r") {
  return item("resource", std::move(name), std::move(uri));
}
ItemSpec uri_template(std::string uri) { return item("resource_template", "t", std::move(uri)); }
ItemSpec completion(std::string name) { return item("completion", std::move(name)); }

class Kinds : public RegistryTest {
 protected:
  static Names keys(const std::vector<ItemPtr>& items) {
    Names out;
    for (const ItemPtr& each : items) out.push_back(each->spec.key());
    return out;
  }
  // Which lists change when one plugin's offer goes from `before` to `after`.
  ListChanges change(std::vector<ItemSpec> before, std::vector<ItemSpec> after) {
    const auto one = plugin("one", std::move(before));
    registry.set_plugins({one}, {});
    ListChanges seen;
    registry.on_lists_changed([&](const ListChanges& c) { seen = c; });
    EXPECT_TRUE(registry.set_offer(*one, std::move(after)));
    registry.on_lists_changed({});
    return seen;
  }
  static Names kinds(const ListChanges& changes) {
    Names out;
    if (changes.tools) out.push_back("tools");
    if (changes.prompts) out.push_back("prompts");
    if (changes.resources) out.push_back("resources");
    return out;
  }
};

TEST_F(Kinds, StandInTheirOwnListsInListingOrder) {
  ItemSpec first = resource("app://z");
  first.order = 1;
  registry.set_plugins(
      {plugin("b", {prompt("p2"), resource("app://b"), uri_template("b://{x}"), completion("p2")}),
       plugin("a", {prompt("p1"), resource("app://y"), resource("app://a"), first,
                    uri_template("a://{x}"), tool("t"), service("s/1")})},
      {});
  const SnapshotPtr now = registry.current();
  EXPECT_EQ(keys(now->tools), Names{"t"});
  EXPECT_EQ(keys(now->prompts), (Names{"p1", "p2"}));
  EXPECT_EQ(keys(now->resources), (Names{"app://z", "app://y", "app://a", "app://b"}));
  EXPECT_EQ(keys(now->templates), (Names{"a://{x}", "b://{x}"}));
  EXPECT_EQ(keys(now->services), Names{"s/1"});
  EXPECT_EQ(keys(now->completions), Names{"p2"});
}

TEST_F(Kinds, AreFoundByTheirKeysAmongTheirOwnKind) {
  registry.set_plugins({plugin("a", {prompt("same"), tool("same"), resource("app://a", "same"),
                                     uri_template("app://{x}"), completion("same")})},
                       {});
  const SnapshotPtr now = registry.current();
  EXPECT_EQ(now->tool_by_name.at("same"), now->tools[0].get());
  EXPECT_EQ(now->prompt_by_name.at("same"), now->prompts[0].get());
  EXPECT_EQ(now->resource_by_uri.at("app://a"), now->resources[0].get());
  EXPECT_EQ(now->template_by_uri.at("app://{x}"), now->templates[0].get());
  EXPECT_EQ(now->completion_by_name.at("same"), now->completions[0].get());
  EXPECT_FALSE(now->resource_by_uri.contains("same"));
  EXPECT_FALSE(now->template_by_uri.contains("t"));
}

TEST_F(Kinds, AChangeIsOneOfTheListItStandsIn) {
  EXPECT_EQ(kinds(change({prompt("a"), prompt("b")}, {prompt("b"), prompt("c")})),
            Names{"prompts"});
  EXPECT_EQ(kinds(change({tool("a")}, {tool("b")})), Names{"tools"});
  EXPECT_EQ(kinds(change({resource("app://a")}, {resource("app://b")})), Names{"resources"});
  EXPECT_EQ(kinds(change({}, {uri_template("app://{x}")})), Names{"resources"});
  EXPECT_EQ(kinds(change({tool("a"), prompt("a")}, {})), (Names{"tools", "prompts"}));
  ItemSpec kept = resource("app://a");
  kept.ttl = std::chrono::milliseconds(5);
  EXPECT_EQ(kinds(change({resource("app://a")}, {kept})), Names{"resources"});
}

TEST_F(Kinds, ASnapshotSaysWhetherAnythingReportsChanges) {
  const auto one = plugin("one", {resource("app://a"), uri_template("t://{x}")});
  registry.set_plugins({one}, {});
  EXPECT_FALSE(registry.current()->subscribable);
  ItemSpec reporting = uri_template("t://{x}");
  reporting.subscribe = true;
  ASSERT_TRUE(registry.set_offer(*one, {resource("app://a"), reporting}));
  EXPECT_TRUE(registry.current()->subscribable);
}

TEST_F(Kinds, AnotherOrderChangesTheList) {
  EXPECT_EQ(kinds(change({prompt("a"), prompt("b")}, {prompt("b"), prompt("a")})),
            Names{"prompts"});
}

TEST_F(Kinds, CompletionsAndServicesAreInNoList) {
  EXPECT_TRUE(change({prompt("a")}, {prompt("a"), completion("a")}).empty());
}

TEST_F(Kinds, APromptHasOneOwner) {
  registry.set_plugins({plugin("first", {prompt("a")}), plugin("second", {prompt("a")})}, {});
  EXPECT_EQ(state("second").state, "refused");
  EXPECT_EQ(state("second").reason,
            "it offers the prompt \"a\", which the plugin \"first\" already offers; rename it or "
            "remove one of the two plugins");
}

TEST_F(Kinds, AUriHasOneOwnerUnderEveryName) {
  registry.set_plugins(
      {plugin("first", {resource("app://a", "x")}), plugin("second", {resource("app://a", "y")}),
       plugin("third", {uri_template("t://{x}")}), plugin("fourth", {uri_template("t://{x}")})},
      {});
  EXPECT_EQ(state("second").reason,
            "it offers the resource \"app://a\", which the plugin \"first\" already offers; rename "
            "it or remove one of the two plugins");
  EXPECT_EQ(state("third").state, "serving");
  EXPECT_EQ(state("fourth").state, "refused");
}

TEST_F(Kinds, NamesOfResourcesAreFree) {
  registry.set_plugins({plugin("first", {resource("app://a", "x"), resource("app://b", "x")}),
                        plugin("second", {resource("app://c", "x"), prompt("x"), tool("x")})},
                       {});
  EXPECT_EQ(state("second").state, "serving");
  EXPECT_EQ(registry.current()->resources.size(), 3u);
}

TEST_F(Kinds, AnOverrideCoversABuiltInPromptAndResource) {
  auto own = plugin("own", {prompt("a"), resource("app://a")});
  own->builtin();
  auto stranger = plugin("stranger", {prompt("a"), resource("app://a")});
  stranger->overrides();
  registry.set_plugins({own, stranger}, {});
  const SnapshotPtr now = registry.current();
  EXPECT_EQ(now->prompts.size(), 1u);
  EXPECT_EQ(now->prompt_by_name.at("a")->plugin->manifest().name, "stranger");
  EXPECT_EQ(now->resource_by_uri.at("app://a")->plugin->manifest().name, "stranger");
}

}  // namespace
}  // namespace gantry::host::testing::kinds_test

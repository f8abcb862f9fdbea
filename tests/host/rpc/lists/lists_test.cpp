// prompts/list, resources/list and resources/templates/list in both eras, and the lists' cache.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "host/rpc/lists/item_lists.hpp"
#include "tests/host/rpc/items.hpp"

namespace gantry::host::rpc::lists_test {
namespace {

ItemSpec listing(std::string uri) {
  ItemSpec spec = uri_template(std::move(uri));
  spec.lists = true;
  return spec;
}

std::string listed(const Words& uris) {
  std::string out = "{\"resources\":[";
  for (const auto& uri : uris) {
    if (out.back() != '[') out += ',';
    out += R"({"uri":")" + uri + R"(","name":"n"})";
  }
  return out + "]}";
}

struct Method {
  std::string_view name;
  const char *member, *key;
};
constexpr Method kMethods[] = {{"prompts/list", "prompts", "name"},
                               {"resources/list", "resources", "uri"},
                               {"resources/templates/list", "resourceTemplates", "uriTemplate"}};

std::vector<ItemSpec> two_of_each() {
  return {prompt("p2"),           prompt("p1"),           for_admins(prompt("p0")),
          resource("app://2"),    resource("app://1"),    for_admins(resource("app://0")),
          uri_template("t2:{x}"), uri_template("t1:{x}"), for_admins(uri_template("t0:{x}"))};
}

TEST(ItemsListed, AreThoseTheAgentMaySeeInTheOrderOfTheirPlugin) {
  const std::vector<Words> expected = {{"p2", "p1"}, {"app://2", "app://1"}, {"t2:{x}", "t1:{x}"}};
  for (const auto revision : {kModern, kLegacy}) {
    Items world(two_of_each());
    for (std::size_t i = 0; i < 3; ++i) {
      const auto result = world.result(ask_for(kMethods[i].name), revision);
      EXPECT_EQ(texts(result[kMethods[i].member], kMethods[i].key), expected[i]) << revision;
    }
    EXPECT_TRUE(world.entered.empty());
  }
}

TEST(ItemsListed, SayHowLongTheyMayBeKeptInTheModernEraOnly) {
  for (const Method& method : kMethods) {
    Items world(two_of_each(),
                {.version = "1", .limits = {.list_ttl = std::chrono::milliseconds(70)}});
    const auto modern = world.result(ask_for(method.name), kModern);
    EXPECT_EQ(modern["ttlMs"].GetInt(), 70) << method.name;
    EXPECT_STREQ(modern["cacheScope"].GetString(), "private");
    EXPECT_STREQ(modern["resultType"].GetString(), "complete");
    EXPECT_TRUE(modern["_meta"].HasMember("io.modelcontextprotocol/serverInfo"));
    EXPECT_EQ(world.result(ask_for(method.name), kLegacy).MemberCount(), 1u) << method.name;
    Items same(two_of_each(), {.version = "1", .lists_are_public = true});
    EXPECT_STREQ(same.result(ask_for(method.name), kModern)["cacheScope"].GetString(), "public");
  }
}

TEST(ItemsListed, AreEmptyWhereNothingIsOffered) {
  Items world({});
  for (const Method& method : kMethods) {
    EXPECT_TRUE(world.result(ask_for(method.name), kLegacy)[method.member].Empty());
  }
}

TEST(ItemsListed, ComeInPagesOf250AndCursorsSurviveChanges) {
  std::vector<ItemSpec> many;
  for (int i = 0; i < 300; ++i) {
    const std::string number = std::to_string(1000 + i);
    many.push_back(prompt("p" + number));
    many.push_back(resource("app://" + number));
    many.push_back(uri_template("t" + number + ":{x}"));
  }
  for (const Method& method : kMethods) {
    Items world(many);
    const auto first = world.result(ask_for(method.name), kModern);
    ASSERT_EQ(first[method.member].Size(), 250u) << method.name;
    const std::string cursor =
        std::string("\"cursor\":\"") + first["nextCursor"].GetString() + "\"";
    auto changed = many;
    changed.insert(changed.begin(), {prompt("new"), resource("app://new"), uri_template("n:{x}")});
    world.publish(changed);
    const auto second = world.result(ask_for(method.name, cursor), kModern);
    EXPECT_EQ(second[method.member].Size(), 50u) << method.name;
    EXPECT_FALSE(second.HasMember("nextCursor"));
    EXPECT_NE(std::string(second[method.member][0][method.key].GetString()).find("1250"),
              std::string::npos);
  }
}

TEST(ItemsListed, RefuseForeignCursors) {
  for (const Method& method : kMethods) {
    Items world(two_of_each());
    for (const auto cursor : {"\"x\"", "7"}) {
      const auto error =
          world.error(ask_for(method.name, std::string("\"cursor\":") + cursor), kLegacy);
      EXPECT_EQ(error["code"].GetInt(), kInvalidParams) << method.name << cursor;
    }
  }
}

TEST(ResourcesListed, FollowTheDeclaredOnesInTheOrderOfTheirTemplates) {
  for (const auto revision : {kModern, kLegacy}) {
    Items world({listing("b:{x}"), resource("z://own"), listing("a:{x}"), uri_template("c:{x}")});
    world.answer = [](const Entered& call) {
      return gives(listed(call.item == "a:{x}" ? Words{"a:2", "a:1"} : Words{"b:1"}));
    };
    const auto result = world.result(ask_for("resources/list"), revision);
    EXPECT_EQ(texts(result["resources"], "uri"), (Words{"z://own", "b:1", "a:2", "a:1"}));
    ASSERT_EQ(world.entered.size(), 2u);
    EXPECT_EQ(world.entered[0].kind, "resource_list");
    EXPECT_EQ(world.entered[0].name, "b:{x}");
    EXPECT_EQ(world.entered[0].arguments, "{}");
    EXPECT_EQ(world.entered[0].agent, "local");
    if (revision == kModern) {
      EXPECT_EQ(result["ttlMs"].GetInt(), 0);
      EXPECT_STREQ(result["cacheScope"].GetString(), "private");
    } else {
      EXPECT_EQ(result.MemberCount(), 1u);
    }
  }
}

TEST(ResourcesListed, AreNotAskedOfTemplatesTheAgentMayNotSee) {
  Items world({for_admins(listing("a:{x}"))});
  EXPECT_TRUE(world.result(ask_for("resources/list"), kModern)["resources"].Empty());
  EXPECT_TRUE(world.entered.empty());
  auto admin = std::make_shared<Agent>();
  admin->tier = Tier::admin;
  world.principal.agent = admin;
  world.answer = [](const Entered&) { return gives(listed({"a:1"})); };
  EXPECT_EQ(world.result(ask_for("resources/list"), kModern)["resources"].Size(), 1u);
}

TEST(ResourcesListed, LoseEntriesOfTheWrongForm) {
  Items world({listing("a:{x}"), resource("a:own")});
  world.answer = [](const Entered&) {
    return gives(R"({"resources":[7,{"uri":"a:1"},{"uri":"b:1","name":"n"},)"
                 R"({"uri":"a:own","name":"again"},{"uri":"a:2","name":"n"},)"
                 R"({"uri":"a:2","name":"twice"}]})");
  };
  const auto result = world.result(ask_for("resources/list"), kModern);
  EXPECT_EQ(texts(result["resources"], "uri"), (Words{"a:own", "a:2"}));
  EXPECT_EQ(texts(result["resources"], "name"), (Words{"r", "n"}));
}

TEST(ResourcesListed, OfOneThatFailsAreLeftOutAndTheOthersCome) {
  for (const auto& bad : {fails("internal_error", "broken"), gives("[]"), gives("{}"),
                          gives("nonsense"), gives(R"({"resources":{}})"), gives("")}) {
    Items world({listing("a:{x}"), listing("b:{x}")});
    world.answer = [&bad](const Entered& call) {
      return call.item == "a:{x}" ? bad : gives(listed({"b:1"}));
    };
    const auto result = world.result(ask_for("resources/list"), kModern);
    EXPECT_EQ(texts(result["resources"], "uri"), Words{"b:1"});
  }
}

TEST(ResourcesListed, WaitForTheSlowestInAnyOrder) {
  Items world({listing("a:{x}"), listing("b:{x}")});
  world.answer = [](const Entered&) { return std::nullopt; };
  EXPECT_EQ(world.ask(ask_for("resources/list"), kModern).status, 0);
  ASSERT_EQ(world.calls.open.size(), 2u);
  world.calls.open[1]->finish(gives(listed({"b:1"})));
  EXPECT_TRUE(world.channel.sink_->answers.empty());
  world.calls.open[0]->finish(gives(listed({"a:1"})));
  ASSERT_EQ(world.channel.sink_->answers.size(), 1u);
  const auto message = json(world.channel.sink_->answers[0].body);
  EXPECT_EQ(texts(message["result"]["resources"], "uri"), (Words{"a:1", "b:1"}));
}

TEST(ResourcesListed, AreAnsweredOnceWhenTheClientStops) {
  Items world({listing("a:{x}")});
  world.answer = [](const Entered&) { return std::nullopt; };
  world.ask(ask_for("resources/list"), kLegacy);
  world.channel.sink_->cancel(Stop::cancelled);
  world.calls.open[0]->finish(gives(listed({"a:1"})));
  ASSERT_EQ(world.channel.sink_->answers.size(), 1u);
  EXPECT_EQ(json(world.channel.sink_->answers[0].body)["error"]["code"].GetInt(), kInternalError);
}

TEST(ResourcesListed, ArePagedWithTheDeclaredOnes) {
  Items world({resource("a:own"), listing("a:{x}")});
  Words uris;
  for (int i = 0; i < 300; ++i) uris.push_back("a:" + std::to_string(i));
  world.answer = [&uris](const Entered&) { return gives(listed(uris)); };
  const auto first = world.result(ask_for("resources/list"), kModern);
  ASSERT_EQ(first["resources"].Size(), 250u);
  const std::string cursor = std::string("\"cursor\":\"") + first["nextCursor"].GetString() + "\"";
  const auto second = world.result(ask_for("resources/list", cursor), kModern);
  EXPECT_EQ(second["resources"].Size(), 51u);
  EXPECT_STREQ(second["resources"][0]["uri"].GetString(), "a:249");
  EXPECT_EQ(world.error(ask_for("resources/list", "\"cursor\":\"x\""), kModern)["code"].GetInt(),
            kInvalidParams);
}

TEST(ItemLists, KeepTheMostRecentSixtyFour) {
  World world({tool("a")});
  ItemLists lists(world.calls, Discovery::automatic);
  const SnapshotPtr snapshot = world.registry.current();
  const Agent agent;
  const auto get = [&](int i) {
    return lists.get(*snapshot, kTools, agent, kModern, "c" + std::to_string(i));
  };
  const auto first = get(0);
  EXPECT_EQ(get(0), first);
  for (int i = 1; i < 99; ++i) get(i);
  const auto last = get(99);
  EXPECT_EQ(lists.size(), ItemLists::kMaxLists);
  EXPECT_EQ(get(99), last);
  EXPECT_NE(get(0), first);  // made anew
}

TEST(ItemLists, KeepKindsApart) {
  World world({tool("a"), prompt("a"), resource("app://a"), uri_template("a:{x}")});
  ItemLists lists(world.calls, Discovery::automatic);
  const SnapshotPtr snapshot = world.registry.current();
  const Agent agent;
  EXPECT_EQ(lists.get(*snapshot, kTools, agent, kModern)->keys, Words{"a"});
  EXPECT_EQ(lists.get(*snapshot, kPrompts, agent, kModern)->entries, R"({"name":"a"})");
  EXPECT_EQ(lists.get(*snapshot, kResources, agent, kModern)->keys, Words{"app://a"});
  EXPECT_EQ(lists.get(*snapshot, kTemplates, agent, kModern)->keys, Words{"a:{x}"});
  EXPECT_EQ(lists.size(), 4u);
}

// The names of tools in the list, with `others` tools beside list_tools.
Words listed_with(int others, Discovery discovery, const Agent& agent = {},
                  std::optional<std::string_view> category = std::nullopt) {
  std::vector<ItemSpec> specs{tool("list_tools")};
  for (int i = 0; i < others; ++i) specs.push_back(tool("t" + std::to_string(i)));
  World world(specs);
  ItemLists lists(world.calls, discovery);
  return lists.get(*world.registry.current(), kTools, agent, kModern, category)->keys;
}

TEST(ItemLists, HoldTheOverviewWhereThereAreMoreThanFortyOtherTools) {
  EXPECT_EQ(listed_with(40, Discovery::automatic).size(), 40u);
  EXPECT_EQ(listed_with(40, Discovery::automatic).front(), "t0");
  EXPECT_EQ(listed_with(41, Discovery::automatic).size(), 42u);
  EXPECT_EQ(listed_with(41, Discovery::automatic).front(), "list_tools");
  EXPECT_EQ(listed_with(1, Discovery::always).size(), 2u);
  EXPECT_EQ(listed_with(41, Discovery::never).size(), 41u);
}

TEST(ItemLists, CountTheToolsOfTheCaller) {
  Agent agent;
  agent.tools.except = {"t0"};
  EXPECT_EQ(listed_with(41, Discovery::automatic, agent).size(), 40u);
  EXPECT_EQ(listed_with(42, Discovery::automatic, agent).size(), 42u);
  EXPECT_EQ(listed_with(41, Discovery::automatic, {}, "custom").size(), 42u);
  agent.tools.except = {"list_tools"};
  EXPECT_EQ(listed_with(41, Discovery::automatic, agent).size(), 41u);
}

TEST(ItemLists, OfAnOldSnapshotAreMadeButNotKept) {
  World world({tool("a")});
  ItemLists lists(world.calls, Discovery::automatic);
  const SnapshotPtr old = world.registry.current();
  world.publish({tool("a"), tool("b")});
  const Agent agent;
  EXPECT_EQ(lists.get(*world.registry.current(), kTools, agent, kModern)->keys.size(), 2u);
  EXPECT_EQ(lists.get(*old, kTools, agent, kModern)->keys.size(), 1u);
  EXPECT_EQ(lists.get(*world.registry.current(), kTools, agent, kModern)->keys.size(), 2u);
  EXPECT_EQ(lists.size(), 1u);
}

TEST(ItemLists, AreRightWhileManyAskAndPluginsChange) {
  World world({tool("t0")});
  ItemLists lists(world.calls, Discovery::automatic);
  std::atomic<int> wrong{0};
  const auto read = [&](int seed) {
    const Agent agent;
    for (int i = 0; i < 300; ++i) {
      const SnapshotPtr snapshot = world.registry.current();
      const std::string category = i % 3 == 0 ? "custom" : "c" + std::to_string((seed + i) % 90);
      const auto list = lists.get(*snapshot, kTools, agent, kModern, category);
      const std::size_t expected = i % 3 == 0 ? snapshot->tools.size() : 0;
      if (list->keys.size() != expected || list->ends.size() != expected) ++wrong;
    }
    Registry::release_cached();
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(read, i * 17);
  for (int i = 1; i < 30; ++i) {
    std::vector<ItemSpec> tools;
    for (int j = 0; j <= i % 5; ++j) tools.push_back(tool("t" + std::to_string(j)));
    world.publish(std::move(tools));
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(lists.size(), ItemLists::kMaxLists);
}

}  // namespace
}  // namespace gantry::host::rpc::lists_test

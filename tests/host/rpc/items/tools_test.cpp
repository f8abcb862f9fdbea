// tools/list and tools/call through the dispatcher.
#include <gtest/gtest.h>

#include "host/rpc/lists/cursor.hpp"
#include "host/rpc/message/correlation.hpp"
#include "tests/host/rpc/fake.hpp"

namespace gantry::host::rpc::tools_test {
namespace {

std::string list_request(const std::string& params = "") {
  return R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{)" + params + "}}";
}

std::string call_request(const std::string& params) {
  return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{)" + params + "}}";
}

std::vector<std::string> names(const rapidjson::Document& message) {
  std::vector<std::string> out;
  for (const auto& entry : message["result"]["tools"].GetArray())
    out.emplace_back(entry["name"].GetString());
  return out;
}

TEST(ToolsList, SaysHowLongItMayBeKeptInTheModernEraOnly) {
  World world({tool("a")}, {.version = "1", .limits = {.list_ttl = std::chrono::milliseconds(70)}});
  const auto modern = json(world.ask(list_request(), "2026-07-28").body);
  EXPECT_EQ(modern["result"]["ttlMs"].GetInt(), 70);
  EXPECT_STREQ(modern["result"]["cacheScope"].GetString(), "private");
  EXPECT_STREQ(modern["result"]["resultType"].GetString(), "complete");
  EXPECT_TRUE(modern["result"]["_meta"].HasMember("io.modelcontextprotocol/serverInfo"));
  EXPECT_FALSE(modern["result"].HasMember("nextCursor"));
  const auto legacy = json(world.ask(list_request(), "2025-11-25").body);
  EXPECT_EQ(legacy["result"].MemberCount(), 1u);
}

TEST(ToolsList, IsPublicIfAllCallersAreOneAgent) {
  World world({tool("a")}, {.version = "1", .lists_are_public = true});
  EXPECT_STREQ(
      json(world.ask(list_request(), "2026-07-28").body)["result"]["cacheScope"].GetString(),
      "public");
}

TEST(ToolsList, ComesInPagesOf250) {
  std::vector<ItemSpec> tools;
  for (int i = 0; i < 600; ++i) tools.push_back(tool("t" + std::to_string(1000 + i)));
  World world(tools);
  std::vector<std::string> all;
  std::string cursor;
  for (const std::size_t expected : {250u, 250u, 100u}) {
    const auto page = json(world.ask(list_request(cursor), "2025-11-25").body);
    const auto here = names(page);
    EXPECT_EQ(here.size(), expected);
    all.insert(all.end(), here.begin(), here.end());
    if (page["result"].HasMember("nextCursor")) {
      cursor = std::string("\"cursor\":\"") + page["result"]["nextCursor"].GetString() + "\"";
    } else {
      EXPECT_EQ(expected, 100u);
    }
  }
  ASSERT_EQ(all.size(), 600u);
  for (std::size_t i = 0; i < 600; ++i) EXPECT_EQ(all[i], "t" + std::to_string(1000 + i));
}

TEST(ToolsList, BeginsAtTheEmptyCursor) {
  World world({tool("a")});
  for (const auto revision : {"2026-07-28", "2024-11-05"}) {
    EXPECT_EQ(world.ask(list_request("\"cursor\":\"\""), revision).body,
              world.ask(list_request(""), revision).body);
  }
}

TEST(ToolsList, RefusesForeignCursors) {
  World world({tool("a")});
  for (const auto cursor : {"\"x\"", "\"YWZ0ZXIg\"", "\"YWZ0ZXIgeCBh\""}) {
    const auto message =
        json(world.ask(list_request(std::string("\"cursor\":") + cursor), "2026-07-28").body);
    EXPECT_EQ(message["error"]["code"].GetInt(), kInvalidParams) << cursor;
  }
  EXPECT_EQ(
      json(world.ask(list_request("\"cursor\":7"), "2026-07-28").body)["error"]["code"].GetInt(),
      kInvalidParams);
}

TEST(Cursor, SurvivesChangesOfTheList) {
  const std::vector<std::string> before = {"a", "b", "c", "d"};
  const std::string cursor = make_cursor(before, 0, 1);
  EXPECT_EQ(place_of_cursor(cursor, before), 2u);
  EXPECT_EQ(place_of_cursor(cursor, {"0", "a", "b", "c"}), 3u);  // one came in front
  EXPECT_EQ(place_of_cursor(cursor, {"a", "c", "d"}), 1u);       // the last one seen is gone
  EXPECT_EQ(place_of_cursor(cursor, {}), 0u);
}

TEST(Cursor, GoesOnAfterTheLastThatStays) {
  const std::vector<std::string> before = {"a", "b", "c", "d", "e", "f", "g"};
  const std::string cursor = make_cursor(before, 1, 4);               // the page was b c d e
  EXPECT_EQ(place_of_cursor(cursor, {"a", "b", "f", "g"}), 2u);       // c d e are gone
  EXPECT_EQ(place_of_cursor(cursor, {"0", "b", "c", "f", "g"}), 3u);  // and one came in front
  EXPECT_EQ(place_of_cursor(cursor, {"x", "y", "f", "g"}), 2u);       // the whole page is gone
  EXPECT_EQ(place_of_cursor(cursor, {"a", "x", "g"}), 2u);            // and what came next
  EXPECT_EQ(place_of_cursor(cursor, {"x", "y"}), 0u);                 // nothing is known
}

TEST(Cursor, IsNoneWhenCutAnywhere) {
  const std::string cursor = make_cursor({"one", "two", "three", "four"}, 0, 2);
  for (std::size_t size = 0; size < cursor.size(); size += 4) {
    const auto place = place_of_cursor(cursor.substr(0, size), {"one", "two", "three", "four"});
    // Without what stands behind it, it still names its place.
    if (place) {
      EXPECT_EQ(*place, 3u);
    }
  }
  EXPECT_FALSE(place_of_cursor(cursor.substr(0, 12), {"one"}));
}

TEST(ToolsList, NarrowsByCategoryWithoutCase) {
  World world({tool("a", "Store"), tool("b", "other"), tool("c", "store")});
  EXPECT_EQ(names(json(world.ask(list_request("\"category\":\"STORE\""), "2026-07-28").body)),
            (std::vector<std::string>{"a", "c"}));
  EXPECT_TRUE(
      names(json(world.ask(list_request("\"category\":\"none\""), "2026-07-28").body)).empty());
}

TEST(ToolsList, ShowsOnlyToolsThatTheAgentMayUse) {
  auto powerful = tool("w");
  powerful.tier = Tier::write;
  World world({tool("a"), powerful, tool("b")});
  EXPECT_EQ(names(json(world.ask(list_request(), "2026-07-28").body)),
            (std::vector<std::string>{"a", "b"}));
  auto agent = std::make_shared<Agent>();
  agent->tier = Tier::write;
  agent->tools.except = {"a"};
  world.principal.agent = agent;
  EXPECT_EQ(names(json(world.ask(list_request(), "2026-07-28").body)),
            (std::vector<std::string>{"w", "b"}));
}

TEST(ToolsList, IsMadeOncePerSurfaceAndSnapshot) {
  World world({tool("a"), tool("b")});
  world.ask(list_request(), "2026-07-28");
  const int once = world.calls.asked;
  world.ask(list_request(), "2026-07-28");
  EXPECT_EQ(world.calls.asked, once);
  world.ask(list_request(), "2025-11-25");
  EXPECT_GT(world.calls.asked, once);
  const int before = world.calls.asked;
  world.publish({tool("a"), tool("b"), tool("c")});
  EXPECT_EQ(names(json(world.ask(list_request(), "2026-07-28").body)).size(), 3u);
  EXPECT_GT(world.calls.asked, before);
}

TEST(ToolsCall, PassesTheCallersBytes) {
  World world({tool("t")});
  const auto answer =
      world.ask(call_request(R"("name":"t","arguments":{ "a" : 1.0 })"), "2025-06-18");
  EXPECT_EQ(answer.status, 200);
  ASSERT_EQ(world.calls.seen.size(), 1u);
  EXPECT_EQ(world.calls.seen[0].arguments, "{ \"a\" : 1.0 }");
  EXPECT_TRUE(world.calls.seen[0].parsed);
  EXPECT_EQ(world.calls.seen[0].protocol, "2025-06-18");
  EXPECT_EQ(json(answer.body)["result"]["structuredContent"]["n"].GetInt(), 1);
}

TEST(ToolsCall, NeedsNoArguments) {
  World world({tool("t")});
  world.ask(call_request(R"("name":"t")"), "2026-07-28");
  ASSERT_EQ(world.calls.seen.size(), 1u);
  EXPECT_EQ(world.calls.seen[0].arguments, "");
  EXPECT_FALSE(world.calls.seen[0].parsed);
}

TEST(ToolsCall, RefusesParamsThatAreNone) {
  World world({tool("t")});
  for (const auto params : {"", R"("name":7)", R"("name":"t","arguments":[])",
                            R"("name":"t","arguments":"x")", R"("name":"t","arguments":null)"}) {
    const auto answer = world.ask(call_request(params), "2026-07-28");
    EXPECT_EQ(json(answer.body)["error"]["code"].GetInt(), kInvalidParams) << params;
    EXPECT_EQ(answer.status, 200) << params;
  }
  EXPECT_TRUE(world.calls.seen.empty());
}

TEST(ToolsCall, ChecksParameterHeadersBeforeTheCallRuns) {
  auto spec = tool("t");
  spec.input_schema =
      R"({"type":"object","properties":{"b":{"type":"string","x-mcp-header":"B"}}})";
  World world({spec});
  const MapHeaders wrong{{"mcp-param-b", "y"}}, right{{"mcp-param-b", "x"}};
  const std::string text = call_request(R"("name":"t","arguments":{"b":"x"})");
  const auto refused = world.ask(text, "2026-07-28", &wrong);
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(json(refused.body)["error"]["code"].GetInt(), kHeaderMismatch);
  EXPECT_TRUE(world.calls.seen.empty());
  EXPECT_EQ(world.ask(text, "2026-07-28", &right).status, 200);
  EXPECT_EQ(world.ask(text, "2025-11-25", &wrong).status, 200);  // no such rule there
}

TEST(ToolsCall, SendsProgressAndLogsOnlyOnRequest) {
  World world({tool("chatty")});
  const std::string meta =
      R"("name":"chatty","_meta":{"progressToken":"p","io.modelcontextprotocol/logLevel":"warning"})";
  world.ask(call_request(meta), "2026-07-28");
  ASSERT_EQ(world.channel.sink_->notes.size(), 2u);
  EXPECT_EQ(
      world.channel.sink_->notes[0],
      R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1,"total":2,"message":"half"}})");
  EXPECT_EQ(
      world.channel.sink_->notes[1],
      R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","logger":"fake","data":"careful"}})");
  EXPECT_TRUE(world.calls.seen[0].wants_progress);
  EXPECT_EQ(world.calls.seen[0].log_level, 4);
  world.ask(call_request(R"("name":"t")"), "2026-07-28");
  EXPECT_FALSE(world.calls.seen[1].wants_progress);
  EXPECT_FALSE(world.calls.seen[1].log_level);
}

TEST(ToolsCall, KeepsTheTypeOfTheProgressToken) {
  World world({tool("chatty")});
  world.ask(call_request(R"("name":"chatty","_meta":{"progressToken":7})"), "2024-11-05");
  EXPECT_NE(world.channel.sink_->notes.at(0).find("\"progressToken\":7,"), std::string::npos);
  EXPECT_EQ(world.channel.sink_->notes.at(0).find("message\":"),
            std::string::npos);  // came with 2025-03-26
}

TEST(ToolsCall, TakesTheLogLevelOfALegacySession) {
  World world({tool("t")});
  Session session("", "local", SessionTerms{"2025-11-25"}, {});
  world.ask(call_request(R"("name":"t")"), "2025-11-25", nullptr, &session);
  EXPECT_FALSE(world.calls.seen[0].log_level);
  const auto set = world.ask(
      R"({"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"error"}})",
      "2025-11-25", nullptr, &session);
  EXPECT_EQ(set.body, R"({"jsonrpc":"2.0","id":1,"result":{}})");
  world.ask(call_request(R"("name":"t")"), "2025-11-25", nullptr, &session);
  EXPECT_EQ(world.calls.seen[1].log_level, 3);
}

TEST(ToolsCall, NamesTheRequestByTheFirstGoodId) {
  World world({tool("t")});
  const MapHeaders both{{"x-mcp-session-id", "mine"},
                        {"traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}};
  const MapHeaders bad{{"x-mcp-session-id", "not good"},
                       {"traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}};
  World audited({tool("t")}, {.version = "1"}, Level::info);
  Session session("sess", "local", SessionTerms{"2025-11-25"}, {});
  const std::string plain = call_request(R"("name":"t")");
  const std::string named = call_request(R"("name":"t","_meta":{"gantry/correlationId":"corr"})");
  world.ask(plain, "2025-11-25", &both, &session);
  world.ask(plain, "2025-11-25", &bad, &session);
  world.ask(named, "2026-07-28", &bad);
  world.ask(plain, "2026-07-28", &bad);
  world.ask(plain, "2026-07-28");
  std::vector<std::string> ids;
  for (const auto& seen : world.calls.seen) ids.push_back(seen.correlation_id);
  EXPECT_EQ(ids, (std::vector<std::string>{"mine", "sess", "corr",
                                           "0af7651916cd43dd8448eb211c80319c", ""}));
}

TEST(ToolsCall, NamesTheRequestByTheIdThatItsCredentialBinds) {
  World world({tool("t")});
  const MapHeaders own{{"x-mcp-session-id", "mine"}};
  Session session("sess", "local", SessionTerms{"2025-11-25"}, {});
  const Principal bound{world.principal.agent, "local", "api_key", nullptr, "ticket-7"};
  const std::string named = call_request(R"("name":"t","_meta":{"gantry/correlationId":"corr"})");
  Message message(named);
  ASSERT_FALSE(message.parse());
  EXPECT_EQ(correlation_id(message, {bound, "2025-11-25", &own, &session}), "ticket-7");
  EXPECT_EQ(correlation_id(message, {world.principal, "2025-11-25", &own, &session}), "mine");
}

TEST(ToolsCall, CanBeStopped) {
  World world({tool("slow")});
  EXPECT_EQ(world.ask(call_request(R"("name":"slow")"), "2026-07-28").status, 0);
  ASSERT_TRUE(world.channel.sink_->cancel);
  world.channel.sink_->cancel(Stop::disconnected);
  EXPECT_EQ(world.calls.open[0]->reasons, std::vector{CancelReason::client_disconnected});
  ASSERT_EQ(world.channel.sink_->answers.size(), 1u);
  EXPECT_NE(world.channel.sink_->answers[0].body.find("cancelled"), std::string::npos);
}

}  // namespace
}  // namespace gantry::host::rpc::tools_test

#include <gtest/gtest.h>

#include "host/rpc/message/batch.hpp"
#include "tests/host/rpc/fake.hpp"

namespace gantry::host::rpc::lifecycle_test {
namespace {

std::string request(const std::string& method, const std::string& params = "{}") {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" + params + "}";
}

TEST(Discover, ListsExactlyTheWorkingCapabilities) {
  World world({}, {.version = "9.9", .instructions = "Ask \"list_tools\"."});
  const auto message = json(world.ask(request("server/discover"), "2026-07-28").body);
  const auto& result = message["result"];
  EXPECT_STREQ(result["resultType"].GetString(), "complete");
  ASSERT_EQ(result["supportedVersions"].Size(), 1u);
  EXPECT_STREQ(result["supportedVersions"][0].GetString(), "2026-07-28");
  EXPECT_EQ(json_of(result["capabilities"]),
            R"({"tools":{"listChanged":true},"prompts":{"listChanged":true},)"
            R"("resources":{"listChanged":true},"logging":{},"completions":{},)"
            R"("extensions":{"io.modelcontextprotocol/tasks":{}}})");
  EXPECT_STREQ(result["instructions"].GetString(), "Ask \"list_tools\".");
  EXPECT_GE(result["ttlMs"].GetInt(), 0);
  EXPECT_STREQ(result["cacheScope"].GetString(), "public");
  const auto& info = result["_meta"]["io.modelcontextprotocol/serverInfo"];
  EXPECT_STREQ(info["name"].GetString(), "gantry");
  EXPECT_STREQ(info["version"].GetString(), "9.9");
}

TEST(Capabilities, FollowTheRevisionAndTheOffer) {
  ItemSpec item;
  item.kind = "resource_template";
  item.name = "t";
  item.uri = "app://{x}";
  World world({item});
  const auto resources = [&world] {
    return json_of(json(world.ask(request("server/discover"), "2026-07-28")
                            .body)["result"]["capabilities"]["resources"]);
  };
  EXPECT_EQ(resources(), R"({"listChanged":true})");
  item.subscribe = true;
  world.publish({item});
  EXPECT_EQ(resources(), R"({"listChanged":true,"subscribe":true})");
  const auto legacy = [&world](const std::string& revision) {
    const std::string params = R"({"protocolVersion":")" + revision + "\"}";
    return json_of(
        json(world.ask(request("initialize", params), revision).body)["result"]["capabilities"]);
  };
  const std::string old = R"({"tools":{"listChanged":true},"prompts":{"listChanged":true},)"
                          R"("resources":{"listChanged":true,"subscribe":true},"logging":{})";
  EXPECT_EQ(legacy("2024-11-05"), old + "}");
  EXPECT_EQ(legacy("2025-03-26"), old + R"(,"completions":{}})");
  EXPECT_EQ(legacy("2025-11-25"),
            old + R"(,"completions":{},"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}})");
}

TEST(Initialize, EchoesAKnownRevisionAndOffersTheNewestOtherwise) {
  World world;
  for (const auto& [asked, got] :
       std::vector<std::pair<std::string, std::string>>{{"2025-11-25", "2025-11-25"},
                                                        {"2025-06-18", "2025-06-18"},
                                                        {"2025-03-26", "2025-03-26"},
                                                        {"2024-11-05", "2024-11-05"},
                                                        {"2026-07-28", "2025-11-25"},
                                                        {"1.0", "2025-11-25"}}) {
    const auto message = json(
        world.ask(request("initialize", R"({"protocolVersion":")" + asked + "\"}"), "2025-11-25")
            .body);
    EXPECT_EQ(message["result"]["protocolVersion"].GetString(), got) << asked;
    EXPECT_EQ(message["result"]["serverInfo"].HasMember("title"), got >= "2025-06-18") << asked;
    EXPECT_FALSE(message["result"].HasMember("resultType"));
    EXPECT_FALSE(message["result"].HasMember("_meta"));
  }
}

TEST(Initialize, NeedsAVersion) {
  World world;
  EXPECT_EQ(json(world.ask(request("initialize"), "2025-11-25").body)["error"]["code"].GetInt(),
            kInvalidParams);
}

TEST(Methods, BelongToTheirEra) {
  World world;
  for (const auto method : {"initialize", "ping", "logging/setLevel", "resources/subscribe",
                            "resources/unsubscribe", "no/such"}) {
    const auto answer = world.ask(request(method), "2026-07-28");
    EXPECT_EQ(answer.status, 404) << method;
    EXPECT_EQ(json(answer.body)["error"]["code"].GetInt(), kMethodNotFound) << method;
  }
  for (const auto method : {"server/discover", "no/such"}) {
    const auto answer = world.ask(request(method), "2025-11-25");
    EXPECT_EQ(answer.status, 200) << method;
    EXPECT_EQ(json(answer.body)["error"]["code"].GetInt(), kMethodNotFound) << method;
  }
}

TEST(Ping, IsAnsweredAtOnce) {
  World world;
  EXPECT_EQ(world.ask(request("ping"), "2024-11-05").body,
            R"({"jsonrpc":"2.0","id":1,"result":{}})");
  EXPECT_EQ(world.channel.made, 0);
}

TEST(SetLevel, RefusesUnknownLevels) {
  World world;
  Session session("", "local", SessionTerms{"2025-11-25"}, {});
  const auto answer = world.ask(request("logging/setLevel", R"({"level":"loud"})"), "2025-11-25",
                                nullptr, &session);
  EXPECT_EQ(json(answer.body)["error"]["code"].GetInt(), kInvalidParams);
  EXPECT_FALSE(session.log_level());
}

// The batch's answer, or "-" when it never came.
struct Batch {
  explicit Batch(World& world, std::string_view text, std::shared_ptr<Session> session) {
    Message message(text);
    EXPECT_FALSE(message.parse());
    refused = check_batch(message);
    if (refused) return;
    dispatch_batch(world.dispatcher, message,
                   {world.principal, "2025-03-26", nullptr, session.get(), false}, session,
                   [all = all](std::string answer) { *all = std::move(answer); });
  }
  std::shared_ptr<std::string> all = std::make_shared<std::string>("-");
  std::optional<Error> refused;
};

TEST(Batch, AnswersEveryRequestInOneArray) {
  World world({tool("t")});
  const Batch batch(
      world,
      R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},
    {"jsonrpc":"2.0","id":"2","method":"tools/call","params":{"name":"t"}},{"jsonrpc":"2.0","id":3,"method":"initialize"},
    {"jsonrpc":"2.0","id":4,"result":{}},17,{"jsonrpc":"1.0","id":5,"method":"ping"}])",
      nullptr);
  const auto answers = json(*batch.all);
  ASSERT_EQ(answers.Size(), 5u);
  EXPECT_EQ(answers[0]["id"].GetInt(), 1);
  EXPECT_STREQ(answers[1]["id"].GetString(), "2");
  EXPECT_EQ(answers[2]["error"]["code"].GetInt(), kInvalidRequest);
  EXPECT_TRUE(answers[3]["id"].IsNull());
  EXPECT_EQ(answers[4]["id"].GetInt(), 5);
}

TEST(Batch, RefusesBatchesWithinAndIdsThatComeTwice) {
  World world;
  const Batch batch(world,
                    R"([[{"jsonrpc":"2.0","id":9,"method":"ping"}],
    {"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"}])",
                    nullptr);
  const auto answers = json(*batch.all);
  ASSERT_EQ(answers.Size(), 3u);
  EXPECT_EQ(answers[0]["error"]["code"].GetInt(), kInvalidRequest);
  EXPECT_TRUE(answers[1].HasMember("result"));
  EXPECT_EQ(answers[2]["error"]["code"].GetInt(), kInvalidRequest);
}

TEST(Batch, IsSilentWhenNothingAsks) {
  World world;
  EXPECT_EQ(
      *Batch(world, R"([{"jsonrpc":"2.0","method":"notifications/initialized"}])", nullptr).all,
      "");
}

TEST(Batch, WaitsForTheSlowestAndCanBeCancelledInPart) {
  World world({tool("slow")});
  auto session =
      std::make_shared<Session>("s", "local", SessionTerms{"2025-03-26"}, Clock::Instant{});
  const Batch batch(world,
                    R"([{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}},
    {"jsonrpc":"2.0","id":2,"method":"ping"}])",
                    session);
  EXPECT_EQ(*batch.all, "-");
  EXPECT_TRUE(session->running().cancel("n1"));
  EXPECT_EQ(json(*batch.all).Size(), 2u);
  EXPECT_EQ(session->running().size(), 0u);
}

TEST(Batch, IsRefusedAsAWhole) {
  World world;
  EXPECT_TRUE(
      Batch(
          world,
          R"([{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}])",
          nullptr)
          .refused);
  std::string many = "[";
  for (std::size_t i = 0; i <= kMaxBatch; ++i)
    many += std::string(i > 0 ? "," : "") + R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  EXPECT_TRUE(Batch(world, many + "]", nullptr).refused);
}

}  // namespace
}  // namespace gantry::host::rpc::lifecycle_test

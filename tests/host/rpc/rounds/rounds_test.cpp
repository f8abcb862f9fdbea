// Rounds of input in the modern era: the result asks, the client comes again.
#include <gtest/gtest.h>

#include "host/rpc/rounds/abilities.hpp"
#include "host/rpc/rounds/rounds.hpp"
#include "tests/host/rpc/input_items.hpp"

namespace gantry::host::rpc::rounds_test {
namespace {

constexpr std::string_view kRevision = "2026-07-28";

std::string call(const std::string& extra = "", const std::string& arguments = R"({"a":1})",
                 const std::string& capabilities = R"({"elicitation":{}})") {
  return modern("tools/call", R"("name":"t","arguments":)" + arguments + extra, capabilities);
}

int error_code(const Answer& answer) {
  const auto message = json(answer.body);
  return message.HasMember("error") ? message["error"]["code"].GetInt() : 0;
}

// Keeps a state and counts its rounds in it.
std::optional<ItemAnswer> keeps(const ItemCall& call, CallListener&) {
  if (call.inputs.round >= 3) return saying(R"({"state":")" + call.inputs.state + R"("})");
  return asking("{\"who\":" + std::string(kForm) + "}", call.inputs.state + "x",
                call.inputs.answers);
}

struct Rounds : testing::Test {
  Rounds() { world.calls.handler = greet; }
  Answer ask(const std::string& text) { return world.ask(text, kRevision); }
  std::string state_of(const Answer& answer) {
    const auto message = json(answer.body);
    if (!message["result"].HasMember("requestState")) return {};
    return message["result"]["requestState"].GetString();
  }
  std::string with_state(const std::string& state) {
    return R"(,"inputResponses":{"who":{"action":"accept"}},"requestState":")" + state + "\"";
  }
  World world{{tool("t")}};
};

TEST_F(Rounds, TheResultAsks) {
  const Answer answer = ask(call());
  EXPECT_EQ(answer.status, 200);
  const auto message = json(answer.body);
  const auto& result = message["result"];
  EXPECT_STREQ(result["resultType"].GetString(), "input_required");
  EXPECT_STREQ(result["inputRequests"]["who"]["method"].GetString(), "elicitation/create");
  EXPECT_STREQ(result["inputRequests"]["who"]["params"]["message"].GetString(), "Who?");
  EXPECT_FALSE(result.HasMember("requestState"));
  EXPECT_FALSE(result.HasMember("ttlMs"));
  EXPECT_FALSE(result.HasMember("cacheScope"));
  EXPECT_TRUE(result["_meta"].HasMember("io.modelcontextprotocol/serverInfo"));
}

TEST_F(Rounds, AnswersNeedNoStateWhereNothingWasKept) {
  const auto message =
      json(ask(call(R"(,"inputResponses":{"who":{"action":"accept","content":{"n":1.5}}})")).body);
  EXPECT_STREQ(message["result"]["resultType"].GetString(), "complete");
  EXPECT_EQ(message["result"]["structuredContent"]["who"]["content"]["n"].GetDouble(), 1.5);
}

TEST_F(Rounds, AMalformedAnswerCountsAsNone) {
  for (const auto responses :
       {R"({"who":12345})", R"({"other":{"action":"accept"}})", "{}", R"({"who":null,"x":7})"}) {
    const auto message = json(ask(call(R"(,"inputResponses":)" + std::string(responses))).body);
    EXPECT_STREQ(message["result"]["resultType"].GetString(), "input_required") << responses;
  }
}

TEST_F(Rounds, AnswersThatAreNoObjectAreRefused) {
  for (const auto extra : {R"(,"inputResponses":null)", R"(,"inputResponses":[])",
                           R"(,"inputResponses":"x")", R"(,"requestState":7)"}) {
    EXPECT_EQ(error_code(ask(call(extra))), kInvalidParams) << extra;
  }
  EXPECT_TRUE(world.calls.seen.empty());
}

TEST_F(Rounds, StateAndAnswersComeBackTogether) {
  world.calls.handler = keeps;
  Answer answer = ask(call());
  std::string before;
  for (int round = 0; round < 3; ++round) {
    const std::string state = state_of(answer);
    ASSERT_NE(state, "");
    EXPECT_NE(state, before);
    before = state;
    answer = ask(call(with_state(state)));
  }
  EXPECT_STREQ(json(answer.body)["result"]["structuredContent"]["state"].GetString(), "xxx");
}

TEST_F(Rounds, EarlierAnswersAreFoundAgainAndNewerOnesWin) {
  world.calls.handler = [](const ItemCall& c, CallListener&) -> std::optional<ItemAnswer> {
    if (c.inputs.round == 2) return saying(c.inputs.answers);
    return asking("{\"x\":" + std::string(kForm) + "}", "", c.inputs.answers);
  };
  const auto first = ask(call(R"(,"inputResponses":{"a":{"v":1},"b":{"v":1}})"));
  const auto last =
      json(ask(call(R"(,"inputResponses":{"b":{"v":2}},"requestState":")" + state_of(first) + "\""))
               .body);
  const auto& all = last["result"]["structuredContent"];
  EXPECT_EQ(all["a"]["v"].GetInt(), 1);
  EXPECT_EQ(all["b"]["v"].GetInt(), 2);
}

TEST_F(Rounds, StateIsGoodForOneRetryOfThisVeryRequest) {
  world.calls.handler = keeps;
  const std::string state = state_of(ask(call()));
  EXPECT_EQ(error_code(ask(call(with_state(state + "-CHANGED")))), kInvalidParams);
  EXPECT_EQ(error_code(ask(call(with_state(state), R"({"a":2})"))), kInvalidParams);
  world.principal.name = "somebody";
  EXPECT_EQ(error_code(ask(call(with_state(state)))), kInvalidParams);
  world.principal.name = "local";
  EXPECT_EQ(error_code(ask(call(with_state(state), R"({ "a" : 1 })"))), 0);
  EXPECT_EQ(error_code(ask(call(with_state(state)))), kInvalidParams);  // once
}

TEST_F(Rounds, StateExpires) {
  World short_lived({tool("t")},
                    {.version = "1", .limits = {.round_lifetime = std::chrono::milliseconds(0)}});
  short_lived.calls.handler = keeps;
  const std::string state = state_of(short_lived.ask(call(), kRevision));
  const auto refused = json(short_lived.ask(call(with_state(state)), kRevision).body);
  EXPECT_EQ(refused["error"]["code"].GetInt(), kInvalidParams);
  EXPECT_NE(std::string(refused["error"]["message"].GetString()).find("expired"),
            std::string::npos);
}

TEST_F(Rounds, StateOfAnotherPluginIsDropped) {
  world.calls.handler = keeps;
  const std::string state = state_of(ask(call()));
  world.registry.set_plugins(
      {std::make_shared<FakePlugin>(std::vector<ItemSpec>{tool("t")}, "another")}, {});
  int round = -1;
  std::string answers = "?";
  world.calls.handler = [&](const ItemCall& c, CallListener&) -> std::optional<ItemAnswer> {
    round = c.inputs.round;
    answers = c.inputs.answers;
    return saying("{}");
  };
  EXPECT_EQ(error_code(ask(call(with_state(state)))), 0);
  EXPECT_EQ(round, 0);
  EXPECT_EQ(answers, "");
}

TEST_F(Rounds, EndAfterEight) {
  world.calls.handler = [](const ItemCall& c, CallListener&) -> std::optional<ItemAnswer> {
    return asking("{\"x\":" + std::string(kForm) + "}", "s", c.inputs.answers);
  };
  Answer answer = ask(call());
  int rounds = 0;
  for (std::string state = state_of(answer); !state.empty(); state = state_of(answer)) {
    answer = ask(call(with_state(state)));
    ASSERT_LT(++rounds, 20);
  }
  EXPECT_EQ(rounds, kMaxRounds);
  EXPECT_TRUE(json(answer.body)["result"]["isError"].GetBool());
}

TEST(RoundStates, OfOneAgentLeaveRoomForThoseOfOthers) {
  const SystemClock clock;
  Sealer sealer(clock, 20);
  Item item;
  item.spec.kind = "tool";
  item.spec.name = "t";
  const auto used = [&](std::string_view principal) {
    const RoundsOf of{principal, "tools/call", "t", "t", "{}"};
    const auto asked =
        input_required(sealer, std::chrono::minutes(1), of, item, {"", "s", 1}, "{}");
    const std::string state = json(*asked + "}")["requestState"].GetString();
    const std::string text = call(R"(,"requestState":")" + state + "\"");
    Message message(text);
    EXPECT_FALSE(message.parse());
    return !read_retry(sealer, message, of, item).error;
  };
  int greedy = 0;
  while (greedy < 100 && used("greedy")) ++greedy;
  EXPECT_EQ(greedy, 10);
  EXPECT_TRUE(used("other"));
}

TEST_F(Rounds, StateTooLargeIsTheToolsFault) {
  world.calls.handler = [](const ItemCall&, CallListener&) -> std::optional<ItemAnswer> {
    return asking("{}", std::string(Sealer::kMaxPayload, 'x'));
  };
  const auto message = json(ask(call()).body);
  EXPECT_TRUE(message["result"]["isError"].GetBool());
}

TEST_F(Rounds, MissingCapabilitiesHaveTheFormOfClientCapabilities) {
  world.calls.handler = [](const ItemCall&, CallListener&) -> std::optional<ItemAnswer> {
    ItemAnswer answer;
    answer.kind = ItemAnswer::Kind::missing_capability;
    answer.requests = R"({"sampling":{}})";
    answer.message = "Declare sampling";
    return answer;
  };
  const Answer answer = ask(call("", "{}", "{}"));
  EXPECT_EQ(answer.status, 400);
  const auto message = json(answer.body);
  EXPECT_EQ(message["error"]["code"].GetInt(), -32021);
  EXPECT_TRUE(message["error"]["data"]["requiredCapabilities"]["sampling"].IsObject());
}

ClientCan modern_can(const std::string& capabilities) {
  const std::string text = modern("tools/call", R"("name":"t")", capabilities);
  Message message(text);
  EXPECT_FALSE(message.parse());
  const Principal principal{std::make_shared<Agent>(), "local", "none"};
  return abilities_of(message, {principal, kRevision});
}

TEST(Abilities, OfTheModernEraComeFromTheRequest) {
  EXPECT_FALSE(modern_can("{}").elicit_form);
  EXPECT_TRUE(modern_can(R"({"elicitation":{}})").elicit_form);
  EXPECT_FALSE(modern_can(R"({"elicitation":{}})").elicit_url);
  EXPECT_TRUE(modern_can(R"({"elicitation":{"form":{},"url":{}}})").elicit_form);
  EXPECT_TRUE(modern_can(R"({"elicitation":{"url":{}}})").elicit_url);
  EXPECT_FALSE(modern_can(R"({"elicitation":{"url":{}}})").elicit_form);
  EXPECT_FALSE(modern_can(R"({"elicitation":true})").elicit_form);
  EXPECT_TRUE(modern_can(R"({"sampling":{}})").sample);
  EXPECT_FALSE(modern_can(R"({"sampling":{}})").sample_with_tools);
  EXPECT_TRUE(modern_can(R"({"sampling":{"tools":{}}})").sample_with_tools);
  EXPECT_TRUE(modern_can(R"({"roots":{}})").list_roots);
  EXPECT_TRUE(modern_can(R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})").tasks);
}

TEST(Abilities, OfALegacySessionAreThoseOfItsRevision) {
  struct Row {
    std::string_view revision;
    bool form, url, tools;
  };
  for (const Row& row : {Row{"2024-11-05", false, false, false},
                         {"2025-03-26", false, false, false},
                         {"2025-06-18", true, false, false},
                         {"2025-11-25", true, true, true}}) {
    Message initialize(
        R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":)"
        R"({"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{"listChanged":true},)"
        R"("extensions":{"io.modelcontextprotocol/tasks":{}},"experimental":{"x":{}}}}})");
    ASSERT_FALSE(initialize.parse());
    Session session("s", "local", {std::string(row.revision), declared_capabilities(initialize)},
                    {});
    EXPECT_EQ(session.capabilities(),
              R"({"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{}})");
    Message message(R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})");
    ASSERT_FALSE(message.parse());
    const Principal principal{std::make_shared<Agent>(), "local", "none"};
    const auto can = abilities_of(message, {principal, row.revision, nullptr, &session});
    EXPECT_EQ(can.elicit_form, row.form) << row.revision;
    EXPECT_EQ(can.elicit_url, row.url) << row.revision;
    EXPECT_EQ(can.sample_with_tools, row.tools) << row.revision;
    EXPECT_TRUE(can.sample && can.list_roots) << row.revision;
    EXPECT_FALSE(can.tasks) << row.revision;
    const auto mute = abilities_of(message, {principal, row.revision, nullptr, &session, false});
    EXPECT_FALSE(mute.sample || mute.elicit_form || mute.list_roots) << row.revision;
  }
}

}  // namespace
}  // namespace gantry::host::rpc::rounds_test

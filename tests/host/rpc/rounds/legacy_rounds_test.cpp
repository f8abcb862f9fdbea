// Rounds of input of the legacy era: the client is sent requests and posts its answers.
#include <gtest/gtest.h>

#include "tests/host/rpc/input_items.hpp"

namespace gantry::host::rpc {
namespace {

const std::string kSample =
    R"({"method":"sampling/createMessage","params":{"maxTokens":5,"messages":[],"tools":[],"toolChoice":{}}})";

class Client {
 public:
  explicit Client(World& world, std::string revision = "2025-11-25")
      : world_(world),
        session_("s", "local",
                 {std::move(revision),
                  R"({"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}})"},
                 {}) {}

  // Sends a call; its answer and what goes with it come to the sink.
  std::shared_ptr<FakeSink> call(const std::string& name = "t", bool notifies = true,
                                 bool carries_requests = true) {
    const std::string text = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" +
                             name + R"(","arguments":{"a":1}}})";
    Message message(text);
    EXPECT_FALSE(message.parse());
    FakeChannel channel;
    channel.sink_->carries_requests = carries_requests;
    const auto now = world_.dispatcher.request(message, context(notifies), channel);
    EXPECT_FALSE(now);
    return channel.sink_;
  }

  void post(const std::string& text) {
    Message message(text);
    ASSERT_FALSE(message.parse());
    world_.dispatcher.response(message, context(true));
  }
  void post_result(const std::string& id, const std::string& result) {
    post(R"({"jsonrpc":"2.0","id":")" + id + R"(","result":)" + result + "}");
  }

  Context context(bool notifies) {
    return {world_.principal, session_.protocol(), nullptr, &session_, notifies};
  }
  Session& session() { return session_; }

 private:
  World& world_;
  Session session_;
};

std::string id_of(const std::string& request) { return json(request)["id"].GetString(); }

struct LegacyRounds : testing::Test {
  LegacyRounds() { world.calls.handler = greet; }
  void asks_for(const std::string& requests) {
    world.calls.handler = [requests](const ItemCall& c, CallListener&) {
      return std::optional(c.inputs.round == 0 ? asking(requests) : saying(c.inputs.answers));
    };
  }
  World world{{tool("t")}};
  Client client{world};
};

TEST_F(LegacyRounds, TheClientIsSentTheRequestAndTheItemIsEnteredAgain) {
  const auto sink = client.call();
  ASSERT_EQ(sink->requests.size(), 1u);
  EXPECT_TRUE(sink->answers.empty());
  EXPECT_EQ(world.calls.open.size(), 0u);
  const auto request = json(sink->requests[0]);
  EXPECT_STREQ(request["jsonrpc"].GetString(), "2.0");
  EXPECT_STREQ(request["method"].GetString(), "elicitation/create");
  EXPECT_STREQ(request["params"]["mode"].GetString(), "form");
  client.post_result(id_of(sink->requests[0]), R"({"action":"accept","content":{"n":1}})");
  ASSERT_EQ(sink->answers.size(), 1u);
  const auto answer = json(sink->answers[0].body);
  EXPECT_EQ(answer["id"].GetInt(), 1);
  EXPECT_EQ(answer["result"]["structuredContent"]["who"]["content"]["n"].GetInt(), 1);
  EXPECT_EQ(answer["result"]["structuredContent"]["round"].GetInt(), 1);
  ASSERT_EQ(world.calls.seen.size(), 2u);
  EXPECT_EQ(world.calls.seen[1].arguments, R"({"a":1})");
  EXPECT_TRUE(world.calls.seen[1].parsed);
  EXPECT_EQ(client.session().client_requests().waiting(), 0u);
}

TEST_F(LegacyRounds, AnAnswerCountsOnceAndOnlyFromTheSessionThatWasAsked) {
  const auto sink = client.call();
  const std::string id = id_of(sink->requests[0]);
  Client other(world);
  other.post_result(id, R"({"action":"accept"})");
  client.post_result("gantry-77", R"({"action":"accept"})");
  client.post(R"({"jsonrpc":"2.0","id":1,"result":{"action":"accept"}})");
  EXPECT_TRUE(sink->answers.empty());
  client.post_result(id, R"({"action":"decline"})");
  client.post_result(id, R"({"action":"accept"})");
  ASSERT_EQ(sink->answers.size(), 1u);
  EXPECT_NE(sink->answers[0].body.find("decline"), std::string::npos);
  EXPECT_EQ(world.calls.seen.size(), 2u);
}

TEST_F(LegacyRounds, RequestsAreAsTheRevisionKnowsThem) {
  asks_for("{\"who\":" + std::string(kForm) + ",\"s\":" + kSample +
           R"(,"r":{"method":"roots/list"}})");
  Client old(world, "2025-06-18");
  const auto sink = old.call();
  ASSERT_EQ(sink->requests.size(), 3u);
  const auto form = json(sink->requests[0]), sample = json(sink->requests[1]),
             roots = json(sink->requests[2]);
  EXPECT_FALSE(form["params"].HasMember("mode"));
  EXPECT_TRUE(form["params"].HasMember("requestedSchema"));
  EXPECT_FALSE(sample["params"].HasMember("tools"));
  EXPECT_FALSE(sample["params"].HasMember("toolChoice"));
  EXPECT_EQ(sample["params"]["maxTokens"].GetInt(), 5);
  EXPECT_STREQ(roots["method"].GetString(), "roots/list");
  const auto newer = json(client.call()->requests[1]);
  EXPECT_TRUE(newer["params"].HasMember("tools"));
}

TEST_F(LegacyRounds, AnElicitationByUrlGetsItsId) {
  asks_for(
      R"({"u":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://x"}}})");
  const auto a = json(client.call()->requests[0]), b = json(client.call()->requests[0]);
  EXPECT_STRNE(a["params"]["elicitationId"].GetString(), b["params"]["elicitationId"].GetString());
}

TEST_F(LegacyRounds, SeveralAnswersMayComeInAnyOrder) {
  asks_for("{\"a\":" + std::string(kForm) + ",\"b\":" + std::string(kForm) + "}");
  const auto sink = client.call();
  client.post_result(id_of(sink->requests[1]), R"({"action":"decline"})");
  EXPECT_TRUE(sink->answers.empty());
  client.post_result(id_of(sink->requests[0]), R"({"action":"accept"})");
  ASSERT_EQ(sink->answers.size(), 1u);
  const auto answers = json(sink->answers[0].body);
  EXPECT_STREQ(answers["result"]["structuredContent"]["a"]["action"].GetString(), "accept");
  EXPECT_STREQ(answers["result"]["structuredContent"]["b"]["action"].GetString(), "decline");
}

TEST_F(LegacyRounds, AnErrorToAnElicitationIsCancel) {
  const auto sink = client.call();
  client.post(R"({"jsonrpc":"2.0","id":")" + id_of(sink->requests[0]) +
              R"(","error":{"code":-1,"message":"no"}})");
  ASSERT_EQ(sink->answers.size(), 1u);
  EXPECT_STREQ(
      json(sink->answers[0].body)["result"]["structuredContent"]["who"]["action"].GetString(),
      "cancel");
}

TEST_F(LegacyRounds, AnErrorToSamplingEndsTheCallAndNamesIt) {
  asks_for("{\"s\":" + kSample + ",\"who\":" + std::string(kForm) + "}");
  const auto sink = client.call();
  client.post(R"({"jsonrpc":"2.0","id":")" + id_of(sink->requests[0]) +
              R"(","error":{"code":-1,"message":"not today"}})");
  ASSERT_EQ(sink->answers.size(), 1u);
  const std::string& body = sink->answers[0].body;
  EXPECT_TRUE(json(body)["result"]["isError"].GetBool());
  EXPECT_NE(body.find("sampling/createMessage"), std::string::npos);
  EXPECT_NE(body.find("not today"), std::string::npos);
  // The other question is withdrawn with notifications/cancelled.
  EXPECT_EQ(client.session().client_requests().waiting(), 0u);
  ASSERT_EQ(sink->notes.size(), 1u);
  EXPECT_EQ(json(sink->notes[0])["params"]["requestId"].GetString(), id_of(sink->requests[1]));
}

TEST_F(LegacyRounds, SilenceIsCancelAndTheQuestionIsWithdrawn) {
  World quick({tool("t")},
              {.version = "1", .limits = {.input_timeout = std::chrono::milliseconds(20)}});
  quick.calls.handler = greet;
  Client silent(quick);
  std::atomic<bool> entered_again{false};
  quick.calls.handler = [&](const ItemCall& c, CallListener& l) {
    auto answer = greet(c, l);
    if (c.inputs.round == 1) entered_again = answer->structured.find("cancel") != std::string::npos;
    return answer;
  };
  const auto sink = silent.call();
  EXPECT_TRUE(eventually([&] { return entered_again.load(); }));
  EXPECT_TRUE(eventually([&] { return silent.session().client_requests().waiting() == 0; }));
}

TEST_F(LegacyRounds, CancelledWhileItWaitsItIsAnsweredAndForgotten) {
  const auto sink = client.call();
  sink->cancel(Stop::cancelled);
  ASSERT_EQ(sink->answers.size(), 1u);
  const std::string& body = sink->answers[0].body;
  EXPECT_NE(body.find("Cancelled by client (notifications_cancelled)"), std::string::npos);
  EXPECT_EQ(client.session().client_requests().waiting(), 0u);
  ASSERT_EQ(sink->notes.size(), 1u);
  EXPECT_STREQ(json(sink->notes[0])["method"].GetString(), "notifications/cancelled");
  client.post_result(id_of(sink->requests[0]), R"({"action":"accept"})");
  EXPECT_EQ(world.calls.seen.size(), 1u);
}

TEST_F(LegacyRounds, ASessionThatEndsEndsTheWait) {
  const auto sink = client.call();
  client.session().end();
  ASSERT_EQ(sink->answers.size(), 1u);
  EXPECT_NE(sink->answers[0].body.find("session_terminated"), std::string::npos);
  const auto late = client.call();  // its asks are answered with nothing at once
  ASSERT_EQ(late->answers.size(), 1u);
  EXPECT_NE(late->answers[0].body.find("session_terminated"), std::string::npos);
}

TEST_F(LegacyRounds, ACancellationBeforeTheCallIsThereIsNotLost) {
  FakeChannel channel;
  world.calls.handler = [&](const ItemCall&, CallListener&) -> std::optional<ItemAnswer> {
    channel.sink_->cancel(Stop::cancelled);  // between the start and its return
    return std::nullopt;
  };
  Message message(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}})");
  ASSERT_FALSE(message.parse());
  world.dispatcher.request(message, client.context(true), channel);
  ASSERT_EQ(channel.sink_->answers.size(), 1u);
  EXPECT_NE(channel.sink_->answers[0].body.find("\"cancelled\\\":true"), std::string::npos);
}

TEST_F(LegacyRounds, AtMostEightOfASessionWait) {
  std::vector<std::shared_ptr<FakeSink>> sinks;
  for (int i = 0; i < 8; ++i) sinks.push_back(client.call());
  const auto refused = client.call();
  ASSERT_EQ(refused->answers.size(), 1u);
  EXPECT_NE(refused->answers[0].body.find("approval_unavailable"), std::string::npos);
  client.post_result(id_of(sinks[3]->requests[0]), R"({"action":"accept"})");
  EXPECT_EQ(sinks[3]->answers.size(), 1u);
  EXPECT_TRUE(client.call()->answers.empty());
  Client other(world);
  EXPECT_TRUE(other.call()->answers.empty());
}

TEST_F(LegacyRounds, AtMostSoManyWaitInAll) {
  World small({tool("t")}, {.version = "1", .limits = {.max_waiting = 1}});
  small.calls.handler = greet;
  Client one(small), two(small);
  EXPECT_TRUE(one.call()->answers.empty());
  EXPECT_EQ(two.call()->answers.size(), 1u);
}

TEST_F(LegacyRounds, AWayBackThatCarriesNoRequestsIsSaid) {
  const auto sink = client.call("t", true, false);
  ASSERT_EQ(sink->answers.size(), 1u);
  EXPECT_NE(sink->answers[0].body.find("approval_unavailable"), std::string::npos);
  EXPECT_EQ(client.session().client_requests().waiting(), 0u);
}

TEST_F(LegacyRounds, TheHandlerKnowsTheClientsCapabilities) {
  ClientCan can;
  world.calls.handler = [&](const ItemCall& c, CallListener&) -> std::optional<ItemAnswer> {
    can = c.inputs.can;
    return saying("{}");
  };
  client.call();
  EXPECT_TRUE(can.elicit_form && can.elicit_url && can.sample && can.list_roots);
  EXPECT_FALSE(can.tasks);
  client.call("t", false);
  EXPECT_FALSE(can.elicit_form || can.sample || can.list_roots);
}

TEST_F(LegacyRounds, AMissingCapabilityIsAToolError) {
  for (const auto& [requires_, code] : {std::pair{R"({"elicitation":{}})", "approval_unavailable"},
                                        std::pair{R"({"sampling":{}})", "internal_error"}}) {
    world.calls.handler = [requests = std::string(requires_)](const ItemCall&, CallListener&) {
      ItemAnswer answer;
      answer.kind = ItemAnswer::Kind::missing_capability;
      answer.requests = requests;
      answer.message = "The client must declare something";
      return std::optional(answer);
    };
    const auto sink = client.call();
    ASSERT_EQ(sink->answers.size(), 1u);
    const auto message = json(sink->answers[0].body);
    EXPECT_TRUE(message["result"]["isError"].GetBool());
    EXPECT_STREQ(message["result"]["structuredContent"]["error_code"].GetString(), code);
  }
}

TEST_F(LegacyRounds, APluginReplacedMeanwhileStartsAnew) {
  const auto sink = client.call();
  world.registry.set_plugins(
      {std::make_shared<FakePlugin>(std::vector<ItemSpec>{tool("t")}, "another")}, {});
  client.post_result(id_of(sink->requests[0]), R"({"action":"accept"})");
  ASSERT_EQ(sink->requests.size(), 2u);  // asked again
  EXPECT_TRUE(sink->answers.empty());
  world.registry.set_plugins({}, {});
  world.calls.handler = [](const ItemCall& c, CallListener&) {
    ItemAnswer answer;
    answer.kind = c.item == nullptr ? ItemAnswer::Kind::unknown_item : ItemAnswer::Kind::result;
    return std::optional(answer);
  };
  client.post_result(id_of(sink->requests[1]), R"({"action":"accept"})");
  ASSERT_EQ(sink->answers.size(), 1u);
  EXPECT_EQ(json(sink->answers[0].body)["error"]["code"].GetInt(), kInvalidParams);
}

TEST_F(LegacyRounds, AWaitHoldsNoPlugin) {
  const auto sink = client.call();
  std::weak_ptr<const Snapshot> then = world.registry.current();
  world.publish({tool("t")});
  Registry::release_cached();
  EXPECT_TRUE(then.expired());
  client.post_result(id_of(sink->requests[0]), R"({"action":"accept"})");
  EXPECT_EQ(sink->answers.size(), 1u);
}

TEST_F(LegacyRounds, ProgressKeepsGrowingOverTheRounds) {
  world.calls.handler = [](const ItemCall& c, CallListener& listener) {
    listener.progress(1, 3, "");
    if (c.inputs.round == 1) listener.progress(2, 3, "");
    return greet(c, listener);
  };
  Message message(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":7}}})");
  ASSERT_FALSE(message.parse());
  FakeChannel channel;
  world.dispatcher.request(message, client.context(true), channel);
  client.post_result(id_of(channel.sink_->requests[0]), R"({"action":"accept"})");
  ASSERT_EQ(channel.sink_->notes.size(), 2u);
  EXPECT_EQ(json(channel.sink_->notes[1])["params"]["progress"].GetInt(), 2);
}

TEST_F(LegacyRounds, EndAfterEight) {
  world.calls.handler = [](const ItemCall&, CallListener&) {
    return std::optional(asking("{\"x\":" + std::string(kForm) + "}"));
  };
  const auto sink = client.call();
  for (std::size_t i = 0; i < 8; ++i) {
    ASSERT_EQ(sink->requests.size(), i + 1);
    client.post_result(id_of(sink->requests[i]), R"({"action":"accept"})");
  }
  EXPECT_EQ(sink->requests.size(), 8u);
  EXPECT_EQ(sink->answers.size(), 1u);
}

}  // namespace
}  // namespace gantry::host::rpc

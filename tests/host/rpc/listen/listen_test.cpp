#include <thread>

#include "tests/host/rpc/listening.hpp"

namespace gantry::host::rpc {
namespace {

using Kind = Event::Kind;
using Texts = std::vector<std::string>;

const char* const kEnd =
    R"({"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":7}}})";

std::string ack(const std::string& subset, const std::string& id = "7") {
  return R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":)" +
         subset + R"(,"_meta":{"io.modelcontextprotocol/subscriptionId":)" + id + "}}}";
}

std::string list_changed(const std::string& list, const std::string& id = "7") {
  return R"({"jsonrpc":"2.0","method":"notifications/)" + list +
         R"(/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":)" + id +
         "}}}";
}

std::string update(const std::string& uri, const std::string& more = "") {
  return R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":")" + uri +
         R"(","_meta":{"io.modelcontextprotocol/subscriptionId":7)" + more + "}}}";
}

int code_of(const ListenSink& sink) {
  const auto document = json(sink.answers().at(0).body);
  return document.HasMember("error") ? document["error"]["code"].GetInt() : 0;
}

TEST(Listen, RequiresAFilter) {
  ListenWorld world;
  for (const char* filter :
       {"null", "[]", R"({"toolsListChanged":1})", R"({"resourceSubscriptions":"x://a"})",
        R"({"resourceSubscriptions":[1]})"}) {
    EXPECT_EQ(code_of(*world.listen(filter)), -32602) << filter;
  }
  EXPECT_EQ(world.ask(R"({"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{}})",
                      kModernRevision)
                    .body.find("params.notifications") == std::string::npos,
            false);
}

TEST(Listen, AcknowledgesTheAcceptedFilterFirstWithTheIdAsSent) {
  ListenWorld world;
  const std::string filter = R"({"toolsListChanged":true,"promptsListChanged":false,)"
                             R"("resourcesListChanged":true,"resourceSubscriptions":)"
                             R"(["x://b","x://a","x://b"]})";
  const auto sink = world.listen(filter, R"("s 7")");
  EXPECT_EQ(sink->notes(), Texts({ack(R"({"toolsListChanged":true,"resourcesListChanged":true,)"
                                      R"("resourceSubscriptions":["x://b","x://a"]})",
                                      R"("s 7")")}));
  EXPECT_TRUE(sink->answers().empty());
}

TEST(Listen, CompletesAtOnceWhenNothingIsAskedFor) {
  ListenWorld world;
  const auto sink = world.listen("{}");
  EXPECT_EQ(sink->notes(), Texts({ack("{}")}));
  ASSERT_EQ(sink->answers().size(), 1u);
  EXPECT_EQ(sink->answers()[0].body, kEnd);
}

TEST(Listen, LeavesOutResourcesThatAreMissingUnreadableOrReportNoChanges) {
  ListenWorld world;
  const auto sink = world.listen(
      R"({"resourceSubscriptions":["x://mute","x://a","x://secret","x://none","x://many/5"]})");
  EXPECT_EQ(sink->notes(), Texts({ack(R"({"resourceSubscriptions":["x://a","x://many/5"]})")}));
  EXPECT_EQ(world.bus.watched(), Texts({"x://a", "x://many/5"}));
  world.bus.publish(updated("x://secret"));
  EXPECT_EQ(sink->notes().size(), 1u);
}

TEST(Listen, LeavesOutResourcesAboveTheAgentsTier) {
  ListenWorld world;
  ItemSpec high = resource("x://high");
  high.tier = Tier::admin;
  world.publish({high});
  const auto sink = world.listen(R"({"resourceSubscriptions":["x://high"]})");
  EXPECT_EQ(sink->notes(), Texts({ack("{}")}));
  EXPECT_EQ(sink->answers().size(), 1u);
}

TEST(Listen, SendsEachKindOnlyToItsSubscribers) {
  ListenWorld world;
  const auto tools = world.listen(R"({"toolsListChanged":true})");
  const auto prompts = world.listen(R"({"promptsListChanged":true})");
  const auto resources = world.listen(R"({"resourcesListChanged":true})");
  const auto one = world.listen(R"({"resourceSubscriptions":["x://a"]})");
  for (const auto kind : {Kind::tools_listed, Kind::prompts_listed, Kind::resources_listed}) {
    world.bus.publish(event_of(kind));
  }
  world.bus.publish(updated("x://a"));
  world.bus.publish(updated("x://b"));
  EXPECT_EQ(tools->notes().back(), list_changed("tools"));
  EXPECT_EQ(prompts->notes().back(), list_changed("prompts"));
  EXPECT_EQ(resources->notes().back(), list_changed("resources"));
  EXPECT_EQ(one->notes().back(), update("x://a"));
  for (const auto& sink : {tools, prompts, resources, one}) EXPECT_EQ(sink->notes().size(), 2u);
}

TEST(Listen, SendsAListChangeOnlyToAgentsThatSeeTheItem) {
  ListenWorld world;
  auto agent = std::make_shared<Agent>();
  agent->tools.except = {"hidden"};
  world.principal.agent = agent;
  const auto sink = world.listen(R"({"toolsListChanged":true,"promptsListChanged":true})");
  world.bus.publish(event_of(Kind::tools_listed, {{"hidden", Tier::readonly}}));
  world.bus.publish(event_of(Kind::tools_listed, {{"high", Tier::write}}));
  world.bus.publish(event_of(Kind::prompts_listed, {{"high", Tier::admin}}));
  EXPECT_EQ(sink->notes().size(), 1u);
  world.bus.publish(event_of(Kind::prompts_listed, {{"hidden", Tier::readonly}}));
  world.bus.publish(event_of(Kind::tools_listed, {{"high", Tier::write}, {"x", Tier::readonly}}));
  EXPECT_EQ(sink->notes().size(), 3u);
}

TEST(Listen, CarriesTheMetadataOfAnUpdate) {
  ListenWorld world;
  const auto sink = world.listen(R"({"resourceSubscriptions":["x://a"]})");
  world.bus.publish(updated("x://a", R"({"n":1})"));
  EXPECT_EQ(sink->notes().back(), update("x://a", R"(,"gantry/metadata":{"n":1})"));
}

TEST(Listen, SendsADeletionOnceAndEndsTheSubscription) {
  ListenWorld world;
  const auto sink = world.listen(R"({"resourceSubscriptions":["x://a","x://b"]})");
  world.bus.publish(updated("x://a", R"({"n":1})", true));
  world.bus.publish(updated("x://a"));
  EXPECT_EQ(sink->notes().size(), 2u);
  EXPECT_EQ(sink->notes().back(),
            update("x://a", R"(,"gantry/metadata":{"n":1},"gantry/deleted":true)"));
  EXPECT_EQ(world.bus.watched(), Texts({"x://b"}));
  EXPECT_TRUE(sink->answers().empty());
}

TEST(Listen, CompletesWhenTheLastThingItWantedIsGone) {
  ListenWorld world;
  const auto sink = world.listen(R"({"resourceSubscriptions":["x://a"]})");
  world.bus.publish(updated("x://a", "", true));
  EXPECT_EQ(sink->notes().back(), update("x://a", R"(,"gantry/deleted":true)"));
  ASSERT_EQ(sink->answers().size(), 1u);
  EXPECT_EQ(sink->answers()[0].body, kEnd);
  EXPECT_EQ(world.bus.watches(), 0u);
}

TEST(Listen, RefusesMoreResourcesThanTheLimitNamingIt) {
  ListenWorld world({.version = "9.9", .limits = {.max_subscriptions = 2}});
  EXPECT_EQ(world.listen(R"({"resourceSubscriptions":["x://a","x://b","x://a"]})")->notes().size(),
            1u);
  const auto sink = world.listen(R"({"resourceSubscriptions":["x://a","x://b","x://c"]})");
  EXPECT_EQ(code_of(*sink), -32602);
  EXPECT_NE(sink->answers()[0].body.find("at most 2"), std::string::npos);
}

TEST(Listen, IsRefusedWithoutAPlace) {
  ListenWorld world;
  const auto sink = std::make_shared<ListenSink>();
  sink->has_place = false;
  world.listen(R"({"resourceSubscriptions":["x://a"]})", "7", sink);
  EXPECT_EQ(code_of(*sink), -32000);
  EXPECT_EQ(sink->answers()[0].status, 503);
  EXPECT_TRUE(sink->notes().empty());
  EXPECT_EQ(world.bus.watches(), 0u);
}

TEST(Listen, IsRefusedWhenAccessToAResourceCannotBeChecked) {
  ListenWorld world;
  world.busy = true;
  const auto sink = world.listen(R"({"resourceSubscriptions":["x://a","x://b"]})");
  EXPECT_EQ(code_of(*sink), -32000);
  EXPECT_EQ(sink->answers()[0].status, 503);
}

TEST(Listen, NeedsAClientThatAcceptsEventStreams) {
  ListenWorld world;
  world.accepts_streams = false;
  const auto sink = world.listen(R"({"toolsListChanged":true})");
  EXPECT_EQ(sink->answers().at(0).status, 406);
  EXPECT_EQ(code_of(*sink), -32000);
}

TEST(Listen, IsForgottenWithoutAWordWhenItsClientGoes) {
  ListenWorld world;
  const auto sink =
      world.listen(R"({"toolsListChanged":true,"resourceSubscriptions":["x://a","x://b"]})");
  EXPECT_EQ(world.bus.watches(), 2u);
  sink->disconnect();
  world.bus.publish(event_of(Kind::tools_listed));
  EXPECT_EQ(sink->notes().size(), 1u);
  EXPECT_EQ(sink->answers().size(), 1u);  // which a sink of a stopped request does not send
  EXPECT_EQ(world.bus.watches(), 0u);
}

TEST(Listen, IsForgottenWhenItsClientGoesWhileResourcesAreStillRead) {
  ListenWorld world;
  world.hold_reads = true;
  const auto sink = world.listen(R"({"resourceSubscriptions":["x://a","x://b"]})");
  ASSERT_EQ(world.calls.open.size(), 1u);
  sink->disconnect();
  EXPECT_TRUE(sink->answers().empty());
  world.calls.open[0]->finish({});
  EXPECT_TRUE(sink->notes().empty());
  EXPECT_EQ(sink->answers().size(), 1u);
  EXPECT_EQ(world.calls.open.size(), 1u) << "the second resource is of no interest any more";
  EXPECT_EQ(world.bus.watches(), 0u);
}

TEST(Listen, ReadsItsResourcesInTurnAndOpensAfterTheLast) {
  ListenWorld world;
  world.hold_reads = true;
  const auto sink = world.listen(R"({"resourceSubscriptions":["x://a","x://b"]})");
  world.calls.open.at(0)->finish({});
  EXPECT_TRUE(sink->notes().empty());
  world.calls.open.at(1)->finish({});
  EXPECT_EQ(sink->notes(), Texts({ack(R"({"resourceSubscriptions":["x://a","x://b"]})")}));
}

TEST(Listen, IsAnsweredWhenTheServerStopsAndNewOnesAtOnce) {
  ListenWorld world;
  const auto sink = world.listen(R"({"resourceSubscriptions":["x://a"]})");
  world.bus.end();
  ASSERT_EQ(sink->answers().size(), 1u);
  EXPECT_EQ(sink->answers()[0].body, kEnd);
  const auto late = world.listen(R"({"toolsListChanged":true})");
  EXPECT_EQ(late->notes().size(), 1u);
  EXPECT_EQ(late->answers().size(), 1u);
  EXPECT_EQ(world.bus.watches(), 0u);
}

TEST(Listen, QueuesForASlowReaderAndMergesMessagesOfOneKey) {
  ListenWorld world;
  const auto sink =
      world.listen(R"({"toolsListChanged":true,"resourceSubscriptions":["x://a","x://b"]})");
  sink->stuck = 100'000;
  world.bus.publish(updated("x://a", R"({"n":1})"));
  world.bus.publish(event_of(Kind::tools_listed));
  world.bus.publish(updated("x://b"));
  world.bus.publish(updated("x://a", R"({"n":2})"));
  world.bus.publish(event_of(Kind::tools_listed));
  EXPECT_EQ(sink->notes().size(), 1u);
  sink->read();
  EXPECT_EQ(sink->notes(),
            Texts({sink->notes()[0], update("x://a", R"(,"gantry/metadata":{"n":2})"),
                   list_changed("tools"), update("x://b")}));
}

TEST(Listen, EndsAStreamThatStaysFullAndNoOther) {
  ListenWorld world({.version = "9.9", .limits = {.max_stream_notifications = 2}});
  const std::string all = R"({"resourceSubscriptions":["x://many/1","x://many/2","x://many/3"]})";
  const auto slow = world.listen(all), quick = world.listen(all);
  slow->stuck = 100'000;
  world.bus.publish(updated("x://many/1"));
  world.bus.publish(updated("x://many/2"));
  EXPECT_TRUE(slow->answers().empty());
  world.bus.publish(updated("x://many/3"));
  EXPECT_EQ(slow->answers().size(), 1u);
  EXPECT_EQ(slow->notes().size(), 1u);
  EXPECT_EQ(quick->notes().size(), 4u);
  EXPECT_TRUE(quick->answers().empty());
  EXPECT_EQ(world.bus.watches(), 3u);
}

TEST(Listen, SendsQueuedMessagesBeforeTheAnswerWhenTheServerStops) {
  ListenWorld world;
  const auto sink = world.listen(R"({"toolsListChanged":true})");
  sink->stuck = 100'000;
  world.bus.publish(event_of(Kind::tools_listed));
  world.bus.end();
  EXPECT_EQ(sink->notes().back(), list_changed("tools"));
  EXPECT_EQ(sink->answers().size(), 1u);
  EXPECT_EQ(sink->late(), 0);
}

TEST(Listen, OutlivesAClientThatGoesInTheMiddleOfANotification) {
  ListenWorld world;
  auto sink = std::make_shared<ListenSink>();
  world.listen(R"({"toolsListChanged":true})", "7", sink);
  sink->while_notified = [&] { std::thread([&] { sink->disconnect(); }).join(); };
  world.bus.publish(event_of(Kind::tools_listed));
  sink->while_notified = nullptr;
  world.bus.publish(event_of(Kind::tools_listed));
  EXPECT_EQ(sink->notes().size(), 2u);
  EXPECT_EQ(sink->answers().size(), 1u);
}

TEST(Listen, ToTasksNeedsTheExtension) {
  ListenWorld world;
  const auto sink = world.listen(R"({"taskIds":[]})");
  EXPECT_EQ(code_of(*sink), -32021);
  EXPECT_EQ(sink->answers()[0].status, 400);
}

constexpr const char* kKnowsTasks =
    R"("io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}})";

// The id of a task that goes on until the test finishes its call.
std::string begin_task(ListenWorld& world) {
  world.publish({tool("t")});
  world.calls.handler = [](const ItemCall&, CallListener& call) -> std::optional<ItemAnswer> {
    call.begin_task();
    return std::nullopt;
  };
  const auto answer = world.ask(
      std::string(
          R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","_meta":{)") +
          kKnowsTasks + "}}}",
      kModernRevision);
  return json(answer.body)["result"]["taskId"].GetString();
}

TEST(Listen, GetsChangesOfItsOwnTasksOnly) {
  ListenWorld world;
  const std::string id = begin_task(world);
  const std::string filter = R"({"taskIds":["unknown",")" + id + R"("]})";
  const auto mine = world.listen(filter, "7", nullptr, kKnowsTasks);
  EXPECT_EQ(mine->notes(), Texts({ack(R"({"taskIds":[")" + id + R"("]})")}));
  world.principal.name = "somebody else";
  const auto other = world.listen(filter, "7", nullptr, kKnowsTasks);
  EXPECT_EQ(other->notes(), Texts({ack("{}")}));
  world.calls.open.at(0)->finish({});
  ASSERT_EQ(mine->notes().size(), 2u);
  const auto note = json(mine->notes()[1]);
  EXPECT_STREQ(note["method"].GetString(), "notifications/tasks");
  EXPECT_STREQ(note["params"]["taskId"].GetString(), id.c_str());
  EXPECT_STREQ(note["params"]["status"].GetString(), "completed");
  EXPECT_TRUE(note["params"].HasMember("result"));
  EXPECT_EQ(note["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"].GetInt(), 7);
}

TEST(Listen, GetsNoChangesOfATaskWithItsIdAndAnotherOwner) {
  ListenWorld world;
  const std::string id = begin_task(world);
  const auto mine = world.listen(R"({"taskIds":[")" + id + R"("]})", "7", nullptr, kKnowsTasks);
  Event event = event_of(Kind::task_changed);
  event.task = id;
  event.owner = "somebody else";
  event.json = R"({"taskId":"x"})";
  world.bus.publish(event);
  EXPECT_EQ(mine->notes().size(), 1u);
  world.dispatcher.stop();  // the task is still open
}

// Streams open and close while lists change and the server stops: a stream that stays gets every
// change, no stream gets another one's id, and nothing leaks.
TEST(Listen, SurvivesChurnAndAStopInTheMiddle) {
  constexpr int kChanges = 200;
  ListenWorld world;
  const auto stays = world.listen(R"({"toolsListChanged":true})", "\"stays\"");
  std::atomic<bool> done{false};
  std::vector<std::shared_ptr<ListenSink>> guests[2];
  std::vector<std::thread> churn;
  for (auto& mine : guests) {
    churn.emplace_back([&] {
      for (int i = 0; !done && i < 1'000; ++i) {
        mine.push_back(world.listen(
            R"({"toolsListChanged":true,"resourceSubscriptions":["x://a"]})", std::to_string(i)));
        if (i % 3 != 0) mine.back()->disconnect();
      }
    });
  }
  for (int i = 0; i < kChanges; ++i) world.bus.publish(event_of(Kind::tools_listed));
  std::thread stop([&] { world.bus.end(); });
  stop.join();
  done = true;
  for (auto& thread : churn) thread.join();
  EXPECT_EQ(stays->notes().size(), 1u + kChanges);
  EXPECT_EQ(stays->answers().size(), 1u);
  for (const auto& mine : guests) {
    for (std::size_t i = 0; i < mine.size(); ++i) {
      const std::string own = "subscriptionId\":" + std::to_string(i) + "}";
      for (const auto& note : mine[i]->notes()) EXPECT_NE(note.find(own), std::string::npos);
      EXPECT_EQ(mine[i]->answers().size(), 1u);
      EXPECT_EQ(mine[i]->late(), 0);
    }
  }
  EXPECT_EQ(world.bus.watches(), 0u);
}

}  // namespace
}  // namespace gantry::host::rpc

#include <thread>

#include "tests/host/rpc/listening.hpp"

namespace gantry::host::rpc::subscribe_test {
namespace {

using Kind = Event::Kind;
using Texts = std::vector<std::string>;

// Records the messages of a session's stream 0.
class Ear final : public EventSink {
 public:
  bool open() override { return true; }
  void prime(EventId) override {}
  bool send(EventId, const Text& message) override {
    std::lock_guard lock(mutex_);
    heard.push_back(*message);
    return true;
  }
  // The messages that it received, at least one.
  Texts wait() const {
    for (int i = 0; i < 1000; ++i) {
      {
        std::lock_guard lock(mutex_);
        if (!heard.empty()) return heard;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return {};
  }
  void gap() override {}
  void close() override { closed = true; }
  std::size_t backlog() const override { return stuck; }
  Texts heard;
  std::atomic<std::size_t> stuck{0};
  std::atomic<bool> closed{false};

 private:
  mutable std::mutex mutex_;  // what waited comes from another thread
};

struct Client {
  explicit Client(ListenWorld& w, const char* name = "s") : world(w) {
    session =
        std::make_shared<Session>(name, "local", SessionTerms{"2025-11-25"}, SystemClock().now());
    session->set_ready();
    session->streams().listen(ear, false);
  }
  ~Client() { session->end(); }
  Answer send(const std::string& method, const std::string& uri) {
    const auto sink = world.legacy("resources/" + method, uri, session);
    const auto answers = sink->answers();
    return answers.empty() ? Answer{"nothing"} : answers.front();
  }
  std::string subscribe(const std::string& uri) {
    return send("subscribe", "\"" + uri + "\"").body;
  }
  std::string unsubscribe(const std::string& uri) {
    return send("unsubscribe", "\"" + uri + "\"").body;
  }
  ListenWorld& world;
  std::shared_ptr<Ear> ear = std::make_shared<Ear>();
  std::shared_ptr<Session> session;
};

const char* const kDone = R"({"jsonrpc":"2.0","id":1,"result":{}})";
constexpr std::string_view kUpdated =
    R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"x://a")";

int code_of(const std::string& body) {
  const auto document = json(body);
  return document.HasMember("error") ? document["error"]["code"].GetInt() : 0;
}

TEST(Subscribe, IsAnsweredEmptyAndBringsUpdatesUntilUnsubscribe) {
  ListenWorld world;
  Client client(world);
  EXPECT_EQ(client.subscribe("x://a"), kDone);
  world.bus.publish(updated("x://a"));
  world.bus.publish(updated("x://b"));
  EXPECT_EQ(client.unsubscribe("x://a"), kDone);
  world.bus.publish(updated("x://a"));
  EXPECT_EQ(client.ear->heard, Texts({std::string(kUpdated) + "}}"}));
}

TEST(Subscribe, IsTheSameTwice) {
  ListenWorld world;
  Client client(world);
  EXPECT_EQ(client.subscribe("x://a"), kDone);
  EXPECT_EQ(client.subscribe("x://a"), kDone);
  EXPECT_EQ(world.bus.watches(), 1u);
  world.bus.publish(updated("x://a"));
  EXPECT_EQ(client.ear->heard.size(), 1u);
  EXPECT_EQ(client.unsubscribe("x://a"), kDone);
  EXPECT_EQ(client.unsubscribe("x://a"), kDone);
  EXPECT_EQ(world.bus.watches(), 0u);
}

TEST(Subscribe, AnswersAsAReadWouldWhereItIsRefused) {
  ListenWorld world;
  Client client(world);
  EXPECT_EQ(code_of(client.subscribe("x://none")), -32002);
  EXPECT_EQ(code_of(client.subscribe("x://secret")), -32602);
  const std::string mute = client.subscribe("x://mute");
  EXPECT_EQ(code_of(mute), -32602);
  EXPECT_NE(mute.find("does not report changes"), std::string::npos);
  EXPECT_EQ(code_of(client.send("subscribe", "5").body), -32602);
  EXPECT_EQ(world.bus.watches(), 0u);
}

TEST(Subscribe, SaysWhenAResourceIsGoneAndEndsTheSubscription) {
  ListenWorld world;
  Client client(world);
  client.subscribe("x://a");
  world.bus.publish(updated("x://a", R"({"n":1})", true));
  world.bus.publish(updated("x://a"));
  EXPECT_EQ(client.ear->heard,
            Texts({std::string(kUpdated) +
                   R"(,"_meta":{"gantry/metadata":{"n":1},"gantry/deleted":true}}})"}));
  EXPECT_EQ(world.bus.watches(), 0u);
}

TEST(Subscribe, IsLimitedInASessionNamingTheLimit) {
  ListenWorld world({.version = "9.9", .limits = {.max_subscriptions = 2}});
  Client client(world);
  client.subscribe("x://a");
  client.subscribe("x://b");
  const std::string refused = client.subscribe("x://many/1");
  EXPECT_EQ(code_of(refused), -32602);
  EXPECT_NE(refused.find("at most 2 resources"), std::string::npos);
  EXPECT_EQ(client.subscribe("x://a"), kDone) << "it is there already";
  client.unsubscribe("x://b");
  EXPECT_EQ(client.subscribe("x://many/1"), kDone);
}

TEST(Subscribe, IsLimitedToSoManySessionsNamingTheLimit) {
  ListenWorld world({.version = "9.9", .limits = {.max_subscribing_sessions = 1}});
  Client one(world, "1"), two(world, "2");
  EXPECT_EQ(one.subscribe("x://a"), kDone);
  EXPECT_EQ(one.subscribe("x://b"), kDone);
  const std::string refused = two.subscribe("x://a");
  EXPECT_EQ(code_of(refused), -32602);
  EXPECT_NE(refused.find("At most 1 sessions"), std::string::npos);
  one.session->end();
  EXPECT_EQ(two.subscribe("x://a"), kDone);
}

TEST(Subscribe, KeepsToTheLimitAlsoWhenReadsOverlap) {
  ListenWorld world({.version = "9.9", .limits = {.max_subscriptions = 1}});
  Client client(world);
  world.hold_reads = true;
  const auto a = world.legacy("resources/subscribe", "\"x://a\"", client.session);
  const auto b = world.legacy("resources/subscribe", "\"x://b\"", client.session);
  for (const auto& read : world.calls.open) read->finish({});
  EXPECT_EQ(a->answers().at(0).body, kDone);
  EXPECT_EQ(code_of(b->answers().at(0).body), -32602);
  EXPECT_EQ(world.bus.watched(), Texts({"x://a"}));
}

TEST(Subscribe, LeavesNothingBehindWhenUnsubscribeComesInBetween) {
  ListenWorld world;
  Client client(world);
  world.hold_reads = true;
  const auto sink = world.legacy("resources/subscribe", "\"x://a\"", client.session);
  EXPECT_EQ(client.unsubscribe("x://a"), kDone);
  world.calls.open.at(0)->finish({});
  EXPECT_EQ(sink->answers().at(0).body, kDone);
  EXPECT_EQ(world.bus.watches(), 0u);
}

TEST(Subscribe, LeavesNothingBehindWhenTheSessionEndsInBetween) {
  ListenWorld world;
  Client client(world);
  client.subscribe("x://b");
  world.hold_reads = true;
  world.legacy("resources/subscribe", "\"x://a\"", client.session);
  client.session->end();
  world.calls.open.at(0)->finish({});
  EXPECT_EQ(world.bus.watches(), 0u);
  world.hold_reads = false;
  client.subscribe("x://a");
  EXPECT_EQ(world.bus.watches(), 0u) << "nor when it is over";
}

TEST(Subscribe, KnowsTheAgeOfEachSubscription) {
  constexpr std::chrono::milliseconds kApart{5};
  ListenWorld world;
  Client client(world);
  client.subscribe("x://a");
  std::this_thread::sleep_for(kApart);
  client.subscribe("x://b");
  client.subscribe("x://a");  // as before
  const auto listening = world.listen(R"({"resourceSubscriptions":["x://b"]})");
  std::this_thread::sleep_for(kApart);
  const auto clients = world.dispatcher.listening_clients();
  ASSERT_EQ(clients.size(), 2u);
  const auto& modern = clients[0].uris;
  ASSERT_EQ(modern.size(), 1u);
  EXPECT_EQ(modern[0].uri, "x://b");
  EXPECT_GE(modern[0].age, kApart);
  const auto& legacy = clients[1].uris;
  ASSERT_EQ(legacy.size(), 2u);
  EXPECT_GE(legacy[0].age, legacy[1].age + kApart);
  EXPECT_GE(legacy[1].age, modern[0].age);
}

TEST(Subscribe, IsTheSessionsOwn) {
  ListenWorld world;
  Client one(world, "1"), two(world, "2");
  one.subscribe("x://a");
  two.unsubscribe("x://a");
  world.bus.publish(updated("x://a"));
  EXPECT_EQ(one.ear->heard.size(), 1u);
  EXPECT_TRUE(two.ear->heard.empty());
}

TEST(SessionLists, AreNotifiedFromInitializeOnIfTheAgentSeesTheChange) {
  ListenWorld world;
  Client client(world);
  const std::string initialize =
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})";
  world.bus.publish(event_of(Kind::tools_listed));
  world.ask(initialize, "2025-11-25", nullptr, client.session.get());
  world.bus.publish(event_of(Kind::tools_listed, {{"high", Tier::admin}}));
  EXPECT_TRUE(client.ear->heard.empty());
  world.bus.publish(event_of(Kind::tools_listed, {{"x", Tier::readonly}}));
  world.bus.publish(event_of(Kind::prompts_listed));
  world.bus.publish(event_of(Kind::resources_listed));
  world.bus.publish(event_of(Kind::task_changed));
  const auto text = [](const std::string& list) {
    return R"({"jsonrpc":"2.0","method":"notifications/)" + list + R"(/list_changed"})";
  };
  EXPECT_EQ(client.ear->heard, Texts({text("tools"), text("prompts"), text("resources")}));
}

TEST(SessionLists, WaitForASlowReaderAndMerge) {
  ListenWorld world;
  Client client(world);
  client.subscribe("x://a");
  client.ear->stuck = 1;
  for (int i = 0; i < 1000; ++i)
    world.bus.publish(updated("x://a", "{\"n\":" + std::to_string(i) + "}"));
  EXPECT_TRUE(client.ear->heard.empty());
  client.ear->stuck = 0;
  const std::string last = std::string(kUpdated) + R"(,"_meta":{"gantry/metadata":{"n":999}}}})";
  EXPECT_EQ(client.ear->wait(), Texts({last}));
}

TEST(SessionLists, CloseTheConnectionOfASlowReaderAndKeepTheRestForAResume) {
  ListenWorld world({.version = "9.9", .limits = {.max_stream_notifications = 2}});
  Client client(world);
  for (const char* uri : {"x://many/1", "x://many/2", "x://many/3"}) client.subscribe(uri);
  client.ear->stuck = 1;
  world.bus.publish(updated("x://many/1"));
  world.bus.publish(updated("x://many/2"));
  EXPECT_FALSE(client.ear->closed);
  world.bus.publish(updated("x://many/3"));
  EXPECT_TRUE(client.ear->closed);
  const auto again = std::make_shared<Ear>();
  client.session->streams().listen(again, false);
  EXPECT_EQ(again->heard.size(), 3u);
}

TEST(SessionLists, LeaveASessionWithoutAnIdItsOnlyConnection) {
  ListenWorld world({.version = "9.9", .limits = {.max_stream_notifications = 1}});
  Client client(world, "");
  client.subscribe("x://a");
  client.subscribe("x://b");
  client.ear->stuck = 1;
  world.bus.publish(updated("x://a"));
  world.bus.publish(updated("x://b"));
  EXPECT_FALSE(client.ear->closed);
  client.ear->stuck = 0;
  EXPECT_EQ(client.ear->wait(), Texts({std::string(kUpdated) + "}}"}));
  client.ear->heard.clear();
  world.bus.publish(updated("x://b"));
  EXPECT_EQ(client.ear->wait().size(), 1u);
}

// Subscribing, unsubscribing, changes and the ends of sessions, all at once.
TEST(Subscribe, CountsBackToZeroAfterEveryRace) {
  ListenWorld world;
  std::atomic<bool> done{false};
  std::thread changes([&] {
    for (int i = 0; !done; ++i) world.bus.publish(updated("x://a", "", i % 7 == 0));
  });
  std::vector<std::thread> clients;
  for (int t = 0; t < 3; ++t) {
    clients.emplace_back([&] {
      for (int i = 0; i < 60; ++i) {
        Client client(world);
        std::thread other([&] {
          client.subscribe("x://b");
          client.unsubscribe("x://a");
        });
        client.subscribe("x://a");
        if (i % 2 == 0) client.session->end();
        client.unsubscribe("x://b");
        other.join();
      }
    });
  }
  for (auto& thread : clients) thread.join();
  done = true;
  changes.join();
  EXPECT_EQ(world.bus.watches(), 0u);
}

}  // namespace
}  // namespace gantry::host::rpc::subscribe_test

#include "host/sessions/sessions.hpp"

#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/host/base/files.hpp"
#include "tests/host/sessions/fake_event_sink.hpp"

namespace gantry::host::sessions_test {
namespace {

struct HandClock final : Clock {
  Instant now() const override { return Instant(std::chrono::seconds(seconds.load())); }
  std::atomic<int> seconds{1000};
};

struct SessionsTest : testing::Test {
  HandClock clock;
  Sessions sessions{clock, {.max_sessions = 3, .idle = std::chrono::seconds(60)}};
};

TEST_F(SessionsTest, MakesUnguessableIds) {
  const auto a = sessions.create("p", {"2025-11-25"}), b = sessions.create("p", {"2025-11-25"});
  EXPECT_NE(a->id(), b->id());
  EXPECT_EQ(a->id().size(), 32u);
  EXPECT_EQ(a->protocol(), "2025-11-25");
}

TEST_F(SessionsTest, FindsOnlyThePrincipalsOwnSessions) {
  const auto session = sessions.create("p", {"2025-11-25"});
  EXPECT_EQ(sessions.find(session->id(), "p"), session);
  EXPECT_EQ(sessions.find(session->id(), "other"), nullptr);
  EXPECT_EQ(sessions.find("unknown", "p"), nullptr);
  EXPECT_FALSE(sessions.end(session->id(), "other"));
  EXPECT_TRUE(sessions.end(session->id(), "p"));
  EXPECT_FALSE(sessions.end(session->id(), "p"));
  EXPECT_EQ(sessions.find(session->id(), "p"), nullptr);
}

TEST_F(SessionsTest, KeepNoMoreForReplayThanAllTogetherMay) {
  const auto budget = std::make_shared<ByteBudget>(10'000);
  Sessions bounded{clock, {.max_sessions = 100}, budget};
  std::vector<std::shared_ptr<Session>> all;
  for (int i = 0; i < 40; ++i) {
    all.push_back(bounded.create("p", {"2025-11-25"}));
    Streams& streams = all.back()->streams();
    const auto stream = streams.open(std::make_shared<FakeEventSink>(), false);
    streams.send(stream, std::string(400, 'a'));
    streams.finish(stream, std::string(600, 'b'));
    EXPECT_LE(budget->held(), 10'000u);
  }
  EXPECT_GE(budget->refused(), 30u);
  const auto again = [](Session& session) {
    const auto sink = std::make_shared<FakeEventSink>();
    const bool known = session.streams().resume({1, 1}, sink) != Streams::Resumed::unknown;
    return known ? sink->messages.size() : 0;
  };
  EXPECT_EQ(again(*all.front()), 0u) << "what it kept longest had to go";
  EXPECT_EQ(again(*all.back()), 1u);
  const auto before = budget->held();
  bounded.end(all.back()->id(), "p");
  EXPECT_EQ(budget->held(), before - 1000);
  bounded.end_all();
  EXPECT_EQ(budget->held(), 0u);
}

TEST_F(SessionsTest, HoldTheCommonBoundWhenManyThreadsKeep) {
  const auto budget = std::make_shared<ByteBudget>(20'000);
  Sessions bounded{clock, {.max_sessions = 100}, budget};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const auto session = bounded.create("p", {"2025-11-25"});
      session->set_ready();
      session->streams().listen(std::make_shared<FakeEventSink>(), false);
      for (int i = 0; i < 500; ++i) session->push(std::string(900, 'x'));
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_LE(budget->held(), 20'000u);
  EXPECT_GT(budget->refused(), 0u);
  bounded.end_all();
  EXPECT_EQ(budget->held(), 0u);
}

TEST_F(SessionsTest, EndsIdleSessions) {
  const auto session = sessions.create("p", {"2025-11-25"});
  clock.seconds += 59;
  EXPECT_TRUE(sessions.find(session->id(), "p"));  // used again
  clock.seconds += 59;
  sessions.reap();
  EXPECT_EQ(sessions.size(), 1u);
  clock.seconds += 1;
  EXPECT_FALSE(sessions.find(session->id(), "p"));
  sessions.reap();
  EXPECT_EQ(sessions.size(), 0u);
}

TEST_F(SessionsTest, KeepsSessionsWithRunningRequests) {
  const auto session = sessions.create("p", {"2025-11-25"});
  session->running().track("n1", [](Stop) {});
  clock.seconds += 1000;
  sessions.reap();
  EXPECT_TRUE(sessions.find(session->id(), "p"));
}

TEST_F(SessionsTest, KeepsListeningSessionsAndEndsDisconnectedOnes) {
  const auto session = sessions.create("p", {"2025-11-25"});
  const auto out = std::make_shared<FakeEventSink>();
  session->streams().listen(out, true);
  clock.seconds += 1000;
  sessions.reap();
  EXPECT_EQ(sessions.size(), 1u);
  session->streams().detach(*out);
  clock.seconds += 59;
  sessions.reap();
  EXPECT_EQ(sessions.size(), 1u);
  clock.seconds += 1;
  sessions.reap();
  EXPECT_EQ(sessions.size(), 0u);
}

TEST_F(SessionsTest, EndsTheListenersOfAllSessionsButNotThem) {
  const auto session = sessions.create("p", {"2025-11-25"});
  const auto out = std::make_shared<FakeEventSink>();
  session->streams().listen(out, true);
  sessions.close_listeners();
  EXPECT_EQ(out->closed, 1);
  EXPECT_TRUE(sessions.find(session->id(), "p"));
}

TEST_F(SessionsTest, AtTheCapReplacesThePrincipalsOwnOldest) {
  const auto a = sessions.create("p", {"v"}), b = sessions.create("p", {"v"}),
             c = sessions.create("q", {"v"});
  clock.seconds += 1;
  sessions.find(a->id(), "p");
  EXPECT_EQ(sessions.create("stranger", {"v"}), nullptr);
  const auto d = sessions.create("p", {"v"});
  ASSERT_TRUE(d);
  EXPECT_FALSE(sessions.find(b->id(), "p"));
  EXPECT_TRUE(sessions.find(a->id(), "p"));
  EXPECT_TRUE(sessions.find(c->id(), "q"));
}

TEST_F(SessionsTest, EndingStopsRunningAndLaterRequests) {
  const auto session = sessions.create("p", {"v"});
  std::vector<Stop> stops;
  session->running().track("n1", [&](Stop why) { stops.push_back(why); });
  sessions.end(session->id(), "p");
  EXPECT_EQ(stops, std::vector{Stop::session_ended});
  EXPECT_FALSE(session->running().track("n2", [&](Stop why) { stops.push_back(why); }));
  EXPECT_EQ(stops.size(), 2u);
}

struct ReopenedTest : SessionsTest {
  // The sessions of a server that begins with what the state directory has.
  struct Process {
    explicit Process(const ReopenedTest& test)
        : ids(std::move(SessionIds::open(test.directory.path())).value()),
          sessions(test.clock, {.max_sessions = 3, .idle = std::chrono::seconds(60)}, nullptr,
                   ids.get()) {}
    std::unique_ptr<SessionIds> ids;
    Sessions sessions;
  };
  TemporaryDirectory directory;
  const SessionTerms terms{"2025-06-18", R"({"roots":{}})"};
};

TEST_F(ReopenedTest, AfterARestartWithTermsAndReady) {
  const std::string id = Process(*this).sessions.create("p", terms)->id();
  Process next(*this);
  EXPECT_EQ(next.sessions.find(id, "q"), nullptr);
  const auto session = next.sessions.find(id, "p");
  ASSERT_NE(session, nullptr);
  EXPECT_EQ(session->id(), id);
  EXPECT_EQ(session->protocol(), terms.protocol);
  EXPECT_EQ(session->capabilities(), terms.capabilities);
  EXPECT_EQ(next.sessions.find(id, "p"), session);
  const auto sink = std::make_shared<FakeEventSink>();
  EXPECT_TRUE(session->streams().listen(sink, false));
  EXPECT_TRUE(session->push("hello"));
  EXPECT_EQ(sink->messages, std::vector<std::string>{"hello"});
}

TEST_F(ReopenedTest, AfterIdlenessAsAnotherSession) {
  Process process(*this);
  const auto first = process.sessions.create("p", terms);
  bool ended = false;
  first->on_end([&] { ended = true; });
  clock.seconds += 61;
  const auto second = process.sessions.find(first->id(), "p");
  ASSERT_NE(second, nullptr);
  EXPECT_NE(second, first);
  EXPECT_TRUE(ended);
  clock.seconds += 61;
  process.sessions.reap();
  EXPECT_EQ(process.sessions.size(), 0u);
  EXPECT_NE(process.sessions.find(first->id(), "p"), nullptr);
}

TEST_F(ReopenedTest, NotWhenItsClientHasEndedIt) {
  const std::string id = [&] {
    Process process(*this);
    const auto session = process.sessions.create("p", terms);
    EXPECT_FALSE(process.sessions.end(session->id(), "q"));
    EXPECT_TRUE(process.sessions.end(session->id(), "p"));
    EXPECT_EQ(process.sessions.find(session->id(), "p"), nullptr);
    return session->id();
  }();
  Process next(*this);
  EXPECT_EQ(next.sessions.find(id, "p"), nullptr);
  EXPECT_FALSE(next.sessions.end(id, "p"));
}

TEST_F(ReopenedTest, CountsAgainstTheCap) {
  const std::string id = Process(*this).sessions.create("p", terms)->id();
  Process next(*this);
  for (int i = 0; i < 3; ++i) next.sessions.create("q", terms);
  EXPECT_EQ(next.sessions.find(id, "p"), nullptr);
  EXPECT_EQ(next.sessions.size(), 3u);
}

TEST_F(ReopenedTest, ResumesItsListeningStreamAfterAGapAndNoRequestsStream) {
  const auto old = Process(*this).sessions.create("p", terms);
  old->set_ready();
  const auto lost = std::make_shared<FakeEventSink>();
  old->streams().listen(lost, false);
  old->push("old");
  Process next(*this);
  const auto session = next.sessions.find(old->id(), "p");
  ASSERT_NE(session, nullptr);
  const auto sink = std::make_shared<FakeEventSink>();
  const auto stream = session->streams().open(std::make_shared<FakeEventSink>(), true);
  EXPECT_EQ(session->streams().resume({1, 1}, sink), Streams::Resumed::unknown);
  EXPECT_NE(session->streams().resume({stream, 1}, sink), Streams::Resumed::unknown);
  const auto again = std::make_shared<FakeEventSink>();
  EXPECT_EQ(session->streams().resume({kListening, 1}, again), Streams::Resumed::live);
  EXPECT_EQ(again->gaps, 1);
  EXPECT_TRUE(session->push("new"));
  EXPECT_EQ(again->messages, std::vector<std::string>{"new"});
}

TEST_F(ReopenedTest, OnceForAllThreads) {
  const std::string id = Process(*this).sessions.create("p", terms)->id();
  Process next(*this);
  std::vector<std::shared_ptr<Session>> found(8);
  std::vector<std::thread> threads;
  for (auto& one : found) threads.emplace_back([&] { one = next.sessions.find(id, "p"); });
  for (auto& thread : threads) thread.join();
  for (const auto& one : found) EXPECT_EQ(one, found[0]);
  EXPECT_NE(found[0], nullptr);
}

TEST(Session, ReportsItsEndOnce) {
  Session session("s", "p", SessionTerms{"v"}, {});
  int told = 0;
  session.on_end([&] { ++told; });
  EXPECT_EQ(told, 0);
  session.end();
  session.end();
  EXPECT_EQ(told, 1);
  session.on_end([&] { ++told; });
  EXPECT_EQ(told, 2);
}

TEST(Session, PushesNothingBeforeItsClientIsReady) {
  Session session("s", "p", SessionTerms{"v"}, {});
  const auto out = std::make_shared<FakeEventSink>();
  session.streams().listen(out, true);
  EXPECT_FALSE(session.push("early"));
  session.set_ready();
  EXPECT_TRUE(session.push("now"));
  EXPECT_EQ(out->messages, std::vector<std::string>{"now"});
}

TEST(Session, CancelsOnlyKnownRequests) {
  Session session("s", "p", SessionTerms{"v"}, {});
  int cancelled = 0;
  EXPECT_TRUE(
      session.running().track("n1", [&](Stop why) { cancelled += why == Stop::cancelled; }));
  EXPECT_FALSE(session.running().track("n1", [](Stop) {}));  // the id is in use
  EXPECT_FALSE(session.running().cancel("s1"));
  EXPECT_TRUE(session.running().cancel("n1"));
  EXPECT_EQ(cancelled, 1);
  session.running().forget("n1");
  EXPECT_FALSE(session.running().cancel("n1"));
  EXPECT_TRUE(session.running().track("n1", [](Stop) {}));
}

// A cancelled request forgets itself from within, as answers do.
TEST(Session, MayBeUsedFromItsOwnCancellation) {
  Session session("s", "p", SessionTerms{"v"}, {});
  session.running().track("n1", [&](Stop) { session.running().forget("n1"); });
  EXPECT_TRUE(session.running().cancel("n1"));
  EXPECT_EQ(session.running().size(), 0u);
}

TEST_F(SessionsTest, StandThreadsThatFindTrackAndEnd) {
  const auto session = sessions.create("p", {"v"});
  std::atomic<int> stopped{0}, refused{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i) {
        const std::string key = std::to_string(t) + ":" + std::to_string(i);
        sessions.find(session->id(), "p");
        if (!session->running().track(key, [&](Stop) { ++stopped; })) ++refused;
        if (i % 3 == 0) session->running().cancel(key);
        session->running().forget(key);
        if (t == 0 && i == 400) sessions.end(session->id(), "p");
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(session->running().size(), 0u);
  EXPECT_GE(stopped, refused);
}

}  // namespace
}  // namespace gantry::host::sessions_test

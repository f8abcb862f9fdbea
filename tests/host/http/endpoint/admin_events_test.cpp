// /admin/events over exchanges that only remember what they were given.
#include "host/http/endpoint/admin_events.hpp"

#include <thread>

#include "tests/host/http/endpoint/fixture.hpp"

namespace gantry::host::http {
namespace {

using namespace std::chrono_literals;

// Written by the events' thread, read by the test.
struct LockedExchange final : FakeExchange {
  bool write(Bytes events) override {
    const std::lock_guard lock(mutex);
    return FakeExchange::write(std::move(events));
  }
  void close() override {
    const std::lock_guard lock(mutex);
    FakeExchange::close();
  }
  bool is_open() const override {
    const std::lock_guard lock(mutex);
    return FakeExchange::is_open();
  }
  std::size_t backlog() const override {
    const std::lock_guard lock(mutex);
    return FakeExchange::backlog();
  }
  std::string text() const {
    const std::lock_guard lock(mutex);
    return body;
  }
  void set_stuck(std::size_t bytes) {
    const std::lock_guard lock(mutex);
    stuck = bytes;
  }
  mutable std::mutex mutex;
};
using Locked = std::shared_ptr<LockedExchange>;

struct AdminEventsTest : testing::Test {
  Locked open(const std::string& query = "", const std::string& last = "",
              std::function<bool()> allowed = {}) {
    Request request;
    request.set_start("GET", "/admin/events" + query, 1);
    if (!last.empty()) request.add_header("last-event-id", last);
    auto exchange = std::make_shared<LockedExchange>();
    RoutedRequest in{request, Reply(exchange)};
    in.still_allowed = std::move(allowed);
    events.open(in);
    return exchange;
  }
  static bool comes(const Locked& exchange, const std::string& text) {
    for (int i = 0; i < 500; ++i) {
      if (exchange->text().find(text) != std::string::npos) return true;
      std::this_thread::sleep_for(10ms);
    }
    return false;
  }

  Feed feed;
  ChangeSignal changed;
  std::atomic<int> plugins{0};
  AdminEvents events{feed,
                     {.plugins = [this] { return "{\"n\":" + std::to_string(plugins) + "}"; },
                      .approvals = [] { return R"({"approvals":[]})"; },
                      .gauges = [] { return R"({"calls":0})"; },
                      .states = {&changed}}};
};

TEST_F(AdminEventsTest, SendRecordsWithTheirIds) {
  feed.add("{\"old\":1}");
  const auto stream = open("?topics=calls");
  feed.add("{\"new\":1}");
  EXPECT_TRUE(comes(stream, "id: " + feed.cursor(2) + "\nevent: call\ndata: {\"new\":1}\n\n"));
  EXPECT_EQ(stream->text().find("old"), std::string::npos);
  EXPECT_EQ(stream->text().find("plugins"), std::string::npos);
}

TEST_F(AdminEventsTest, SendStatesAtOnceAndOnlyWhenTheyChange) {
  const auto stream = open();
  EXPECT_TRUE(comes(stream, "event: plugins\ndata: {\"n\":0}\n\n"));
  EXPECT_TRUE(comes(stream, "event: approvals"));
  EXPECT_TRUE(comes(stream, "event: gauges"));
  std::this_thread::sleep_for(700ms);
  const std::string text = stream->text();
  EXPECT_EQ(text.find("event: plugins"), text.rfind("event: plugins"));
}

TEST_F(AdminEventsTest, SendChangedStatesBeforeTheSecondIsOver) {
  const auto stream = open("?topics=plugins");
  const auto begun = std::chrono::steady_clock::now();
  for (int i = 1; i <= 20; ++i) {
    plugins = i;
    changed.raise();
    ASSERT_TRUE(comes(stream, "{\"n\":" + std::to_string(i) + "}"));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 10s);
}

TEST_F(AdminEventsTest, SendRecordsBeforeTheSecondIsOver) {
  const auto stream = open("?topics=calls");
  const auto begun = std::chrono::steady_clock::now();
  for (std::uint64_t i = 1; i <= 20; ++i) {
    feed.add("{}");
    ASSERT_TRUE(comes(stream, feed.cursor(i) + "\n"));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 10s);
}

TEST_F(AdminEventsTest, SayHowManyRecordsASlowClientMissed) {
  const auto stream = open("?topics=calls");
  feed.add("{}");
  ASSERT_TRUE(comes(stream, feed.cursor(1)));
  stream->set_stuck(1);
  for (int i = 0; i < 300; ++i) feed.add("{}");
  std::this_thread::sleep_for(300ms);
  EXPECT_EQ(stream->text().find(feed.cursor(301)), std::string::npos);
  stream->set_stuck(0);
  ASSERT_TRUE(comes(stream, "id: " + feed.cursor(301) + "\n"));
  const std::string gap =
      "id: " + feed.cursor(45) + "\nevent: gap\ndata: {\"missed\":44}\n\nid: " + feed.cursor(46);
  EXPECT_NE(stream->text().find(gap), std::string::npos) << stream->text().substr(0, 500);
}

TEST_F(AdminEventsTest, ResumeAfterTheLastEvent) {
  for (int i = 0; i < 400; ++i) feed.add("{}");
  const auto stream = open("?topics=calls", feed.cursor(10));
  ASSERT_TRUE(comes(stream, feed.cursor(400)));
  EXPECT_EQ(stream->text().find("gap"), std::string::npos) << "all of it is in memory";
  EXPECT_NE(stream->text().find("id: " + feed.cursor(11) + "\n"), std::string::npos);
  const auto other = open("?topics=calls", "ffff-3");
  EXPECT_TRUE(comes(other, "event: gap\ndata: {\"missed\":null}"));
}

TEST_F(AdminEventsTest, EndWithTheRightToThem) {
  std::atomic<bool> allowed{true};
  const auto stream = open("", "", [&allowed] { return allowed.load(); });
  EXPECT_TRUE(comes(stream, "gauges"));
  EXPECT_TRUE(stream->is_open());
  allowed = false;
  for (int i = 0; i < 500 && stream->is_open(); ++i) std::this_thread::sleep_for(10ms);
  EXPECT_FALSE(stream->is_open());
}

TEST_F(AdminEventsTest, AreBoundedAndStop) {
  std::vector<Locked> all;
  for (int i = 0; i < AdminEvents::kMostStreams; ++i) all.push_back(open());
  EXPECT_EQ(open()->status, 503);
  EXPECT_EQ(events.size(), AdminEvents::kMostStreams);
  events.stop();
  for (const auto& each : all) EXPECT_FALSE(each->is_open());
  EXPECT_EQ(open()->status, 503);
  EXPECT_EQ(open("?topics=weather")->status, 400);
}

}  // namespace
}  // namespace gantry::host::http

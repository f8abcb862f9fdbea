// Event streams: framing, order, slow readers, and that no event reaches the wrong client.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <thread>

#include "fixture.hpp"
#include "host/base/deferred_wakeups.hpp"

namespace gantry::host::http::testing::stream_test {
namespace {

TEST(Stream, EventsArriveOneByOneAndTheEndIsProper) {
  Kept kept;
  TestServer server(kept.keeper());
  auto client = server.connect();
  client.send(get("/"));
  auto exchange = kept.wait();
  ASSERT_TRUE(exchange->open_stream());
  auto head = client.read_until("\r\n\r\n");
  for (const char* field : {"HTTP/1.1 200 OK\r\n", "\r\nContent-Type: text/event-stream\r\n",
                            "\r\nTransfer-Encoding: chunked\r\n", "\r\nCache-Control: no-cache\r\n",
                            "\r\nX-Accel-Buffering: no\r\n"}) {
    EXPECT_NE(head.find(field), std::string::npos) << field;
  }
  ASSERT_TRUE(exchange->write("data: 1\n\n"));
  EXPECT_EQ(client.read_until("1\n\n\r\n"), "9\r\ndata: 1\n\n\r\n");
  auto shared = std::make_shared<const std::string>("data: shared\n\n");
  ASSERT_TRUE(exchange->write(shared));
  EXPECT_EQ(client.read_until("shared\n\n\r\n"), "e\r\ndata: shared\n\n\r\n");
  exchange->close();
  EXPECT_EQ(client.read_until("0\r\n\r\n"), "0\r\n\r\n");
  EXPECT_FALSE(exchange->is_open());
  EXPECT_FALSE(exchange->write("data: late\n\n"));
  kept.forget();
}

TEST(Stream, WritesOfABurstLeaveAtItsEndAndThoseOfOtherThreadsAtOnce) {
  Kept kept;
  TestServer server(kept.keeper());
  auto client = server.connect();
  client.send(get("/"));
  auto exchange = kept.wait();
  ASSERT_TRUE(exchange->open_stream());
  client.read_until("\r\n\r\n");
  {
    const DeferredWakeups scope;
    ASSERT_TRUE(exchange->write("data: 1\n\n"));
    ASSERT_TRUE(exchange->write("data: 2\n\n"));
  }
  EXPECT_EQ(client.read_until("2\n\n\r\n"), "9\r\ndata: 1\n\n\r\n9\r\ndata: 2\n\n\r\n");
  auto other = server.connect();
  other.send(get("/"));
  auto second = kept.wait(1);
  ASSERT_TRUE(second->open_stream());
  other.read_until("\r\n\r\n");
  const DeferredWakeups scope;
  ASSERT_TRUE(exchange->write("data: 3\n\n"));
  std::thread([&] { ASSERT_TRUE(second->write("data: 4\n\n")); }).join();
  EXPECT_EQ(other.read_until("4\n\n\r\n"), "9\r\ndata: 4\n\n\r\n");
  kept.forget();
}

TEST(Stream, TheConnectionServesOnAfterAStream) {
  TestServer server([](Request&& r, std::shared_ptr<Exchange> exchange) {
    if (r.path() == "/plain") return echo(std::move(r), std::move(exchange));
    exchange->open_stream();
    exchange->write("data: a\n\n");
    exchange->write(std::string());
    exchange->write("data: b\n\n");
    exchange->close();
  });
  auto client = server.connect();
  for (int i = 0; i < 3; ++i) {
    client.send(get("/stream") + get("/plain"));
    EXPECT_EQ(client.read_response().body, "data: a\n\ndata: b\n\n");
    EXPECT_EQ(client.read_response().body, "GET /plain|host=t;|");
  }
  EXPECT_EQ(server->counters().streams, 0u);
}

TEST(Stream, Http10GetsItUnchunkedUntilTheEnd) {
  TestServer server([](Request&&, std::shared_ptr<Exchange> exchange) {
    exchange->open_stream();
    exchange->write("data: a\n\n");
    exchange->close();
  });
  auto client = server.connect();
  client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  auto all = client.read_all();
  EXPECT_EQ(all.find("chunked"), std::string::npos);
  EXPECT_TRUE(all.ends_with("\r\n\r\ndata: a\n\n")) << all;
}

TEST(Stream, HeadGetsTheHeadAlone) {
  TestServer server([](Request&& r, std::shared_ptr<Exchange> exchange) {
    if (r.method() != "HEAD") return echo(std::move(r), std::move(exchange));
    EXPECT_FALSE(exchange->open_stream());
    EXPECT_FALSE(exchange->write("data: a\n\n"));
  });
  auto client = server.connect();
  client.send("HEAD / HTTP/1.1\r\nHost: t\r\n\r\n" + get("/"));
  EXPECT_EQ(client.read_response(true).header("Content-Type"), "text/event-stream");
  EXPECT_EQ(client.read_response().body, "GET /|host=t;|");
}

TEST(Stream, AnIdleOneCarriesHeartbeats) {
  Kept kept;
  Limits limits;
  limits.tick = 5ms;
  limits.heartbeat = 20ms;
  TestServer server(kept.keeper(), limits);
  auto client = server.connect();
  client.send(get("/"));
  auto exchange = kept.wait();
  exchange->open_stream();
  EXPECT_FALSE(client.read_until("8\r\n: ping\n\n\r\n").empty());
  EXPECT_FALSE(client.read_until("8\r\n: ping\n\n\r\n").empty());
  exchange->close();
  EXPECT_TRUE(client.read_until("0\r\n\r\n").ends_with("0\r\n\r\n"));
  kept.forget();
}

TEST(Stream, DroppedOpenItIsCutWithoutAProperEnd) {
  TestServer server([](Request&&, std::shared_ptr<Exchange> exchange) {
    exchange->open_stream();
    exchange->write("data: a\n\n");
  });
  auto client = server.connect();
  client.send(get("/"));
  auto all = client.read_all();
  EXPECT_NE(all.find("data: a"), std::string::npos);
  EXPECT_EQ(all.find("0\r\n\r\n"), std::string::npos);
  EXPECT_EQ(server->counters().slow_cut, 0u);
}

TEST(Stream, ASlowReaderIsCutAtTheBoundAndTheHandlerIsNotified) {
  Kept kept;
  std::atomic<int> gone{0};
  Limits limits;
  limits.queued_bytes = 1024 * 1024;
  TestServer server(kept.keeper(), limits);
  auto client = server.connect(4096);
  client.send(get("/"));
  auto exchange = kept.wait();
  exchange->on_disconnect([&] { ++gone; });
  ASSERT_TRUE(exchange->open_stream());
  auto event = std::make_shared<const std::string>("data: " + std::string(64 * 1024, 'x') + "\n\n");
  std::size_t accepted = 0;
  while (exchange->write(event) && accepted < 2000) ++accepted;
  // The bound, and what the kernel buffers for a reader that does not read.
  EXPECT_LT(accepted * event->size(), 24u * 1024 * 1024);
  EXPECT_GE(accepted * event->size(), 900u * 1024);
  EXPECT_TRUE(eventually([&] { return gone == 1; }));
  EXPECT_FALSE(exchange->is_open());
  EXPECT_EQ(server->counters().slow_cut, 1u);
  EXPECT_EQ(server->counters().streams, 0u);
  kept.forget();
}

TEST(Stream, ManyWritersKeepEventsWhole) {
  Kept kept;
  TestServer server(kept.keeper());
  auto client = server.connect();
  client.send(get("/"));
  auto exchange = kept.wait();
  exchange->open_stream();
  std::vector<std::thread> writers;
  for (int w = 0; w < 4; ++w) {
    writers.emplace_back([&, w] {
      for (int i = 0; i < 500; ++i) {
        exchange->write("data: " + std::to_string(w) + " " + std::to_string(i) + "\n\n");
      }
    });
  }
  for (auto& writer : writers) writer.join();
  exchange->close();
  auto body = client.read_response().body;
  int next[4] = {};
  std::size_t at = 0;
  while (at < body.size()) {
    int w = 0, i = 0;
    ASSERT_EQ(std::sscanf(body.c_str() + at, "data: %d %d\n\n", &w, &i), 2);
    ASSERT_EQ(i, next[w]++) << "the events of one writer stay in order";
    at = body.find("\n\n", at) + 2;
  }
  EXPECT_EQ(next[0] + next[1] + next[2] + next[3], 2000);
  kept.forget();
}

// Streams come and go while another thread pushes to all of them: descriptors are reused all the
// time, and each event names the client it is for.
class Churn {
 public:
  OnRequest handler() {
    return [this](Request&& request, std::shared_ptr<Exchange> exchange) {
      std::string name(request.path());
      exchange->open_stream();
      exchange->on_disconnect([this, name] { forget(name); });
      std::lock_guard lock(mutex_);
      streams_[name] = std::move(exchange);
    };
  }
  void push_until(const std::atomic<bool>& stop) {
    while (!stop) {
      for (auto& [name, exchange] : snapshot()) exchange->write("data: for " + name + "\n\n");
    }
  }
  void clear() {
    std::map<std::string, std::shared_ptr<Exchange>> dropped;
    std::lock_guard lock(mutex_);
    dropped.swap(streams_);
  }

 private:
  std::map<std::string, std::shared_ptr<Exchange>> snapshot() {
    std::lock_guard lock(mutex_);
    return streams_;
  }
  void forget(const std::string& name) {
    std::lock_guard lock(mutex_);
    streams_.erase(name);
  }
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Exchange>> streams_;
};

// Opens streams until `stop`; returns how many events of others it got.
int visit(TestServer& server, int id, const std::atomic<bool>& stop, std::atomic<int>& events) {
  int foreign = 0;
  std::minstd_rand random(static_cast<unsigned>(id) + 1);
  for (int n = 0; !stop; ++n) {
    std::string name = "/" + std::to_string(id) + "-" + std::to_string(n);
    auto client = server.connect();
    client.send(get(name));
    if (!client.read_until("\r\n\r\n").starts_with("HTTP/1.1 200 OK")) ++foreign;
    for (unsigned i = random() % 4; i > 0; --i) {
      auto event = client.read_until("\n\n\r\n");
      auto expected = "data: for " + name + "\n\n\r\n";
      if (!event.ends_with("\r\n" + expected)) ++foreign;
      ++events;
    }
    if (n % 3 == 0) client.reset();
  }
  return foreign;
}

TEST(Stream, NoEventEverReachesAnotherClient) {
  Churn churn;
  TestServer server(churn.handler(), {}, 2);
  std::atomic<bool> stop{false}, stop_pushing{false};
  std::atomic<int> events{0}, foreign{0};
  std::thread pusher([&] { churn.push_until(stop_pushing); });
  std::vector<std::thread> visitors;
  for (int i = 0; i < 24; ++i) {
    visitors.emplace_back([&, i] { foreign += visit(server, i, stop, events); });
  }
  std::this_thread::sleep_for(1500ms);
  stop = true;
  for (auto& visitor : visitors) visitor.join();
  stop_pushing = true;
  pusher.join();
  churn.clear();
  EXPECT_EQ(foreign, 0);
  EXPECT_GT(events, 100);
  EXPECT_TRUE(eventually([&] { return server->counters().connections == 0; }));
}

}  // namespace
}  // namespace gantry::host::http::testing::stream_test

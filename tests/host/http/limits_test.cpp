// Time, number and resources.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>

#include "fixture.hpp"

namespace gantry::host::http::testing::limits_test {
namespace {

Limits short_times() {
  Limits limits;
  limits.tick = 5ms;
  limits.head_timeout = 60ms;
  limits.body_timeout = 60ms;
  limits.keep_alive_timeout = 60ms;
  limits.write_stall = 60ms;
  return limits;
}

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

TEST(Timeout, OfASilentConnectionClosesIt) {
  TestServer server(echo, short_times());
  auto client = server.connect();
  EXPECT_TRUE(client.closed());
  EXPECT_EQ(server->counters().timeouts, 1u);
}

TEST(Timeout, OfADrippingHeadIs408) {
  TestServer server(echo, short_times());
  auto client = server.connect();
  std::string head = get("/", "X-Pad: " + std::string(400, 'p') + "\r\n");
  for (char c : head) {
    if (!client.try_send({&c, 1})) break;
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_EQ(client.read_response().status, 408);
  EXPECT_TRUE(client.closed());
}

TEST(Timeout, OfABodyIs408) {
  TestServer server(echo, short_times());
  auto client = server.connect();
  client.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\nhe");
  EXPECT_EQ(client.read_response().status, 408);
  EXPECT_TRUE(client.closed());
}

TEST(Timeout, OfAKeptConnectionClosesItSilently) {
  TestServer server(echo, short_times());
  auto client = server.connect();
  client.send(get("/"));
  EXPECT_EQ(client.read_response().status, 200);
  EXPECT_TRUE(client.closed());
}

TEST(Timeout, OfASecondRequestsHeadIs408) {
  TestServer server(echo, short_times());
  auto client = server.connect();
  client.send(get("/") + "GET /2 HT");
  EXPECT_EQ(client.read_response().status, 200);
  EXPECT_EQ(client.read_response().status, 408);
}

TEST(Timeout, DoesNotTouchPendingAnswersAndStreams) {
  Kept kept;
  TestServer server(kept.keeper(), short_times());
  auto slow = server.connect();
  slow.send(get("/"));
  auto pending = kept.wait(0);
  auto listener = server.connect();
  listener.send(get("/"));
  auto stream = kept.wait(1);
  stream->open_stream();
  std::this_thread::sleep_for(200ms);
  EXPECT_TRUE(pending->reply(200, "text/plain", "slow"));
  EXPECT_TRUE(stream->write("data: x\n\n"));
  stream->close();
  EXPECT_EQ(slow.read_response().body, "slow");
  EXPECT_EQ(listener.read_response().body, "data: x\n\n");
  EXPECT_EQ(server->counters().timeouts, 0u);
  kept.forget();
}

TEST(Timeout, OfAReaderThatStallsCutsItsAnswer) {
  TestServer server(
      [](Request&&, std::shared_ptr<Exchange> exchange) {
        exchange->reply(200, "text/plain", std::string(20 * 1024 * 1024, 'x'));
      },
      short_times());
  auto client = server.connect(4096);
  client.send(get("/"));
  EXPECT_TRUE(eventually([&] { return server->counters().timeouts == 1; }));
  EXPECT_TRUE(eventually([&] { return server->counters().connections == 0; }));
  EXPECT_EQ(server->counters().active, 0u);
}

TEST(Load, ANeverReadingClientCostsNoTimeAndNoOtherClient) {
  TestServer server([](Request&& r, std::shared_ptr<Exchange> exchange) {
    if (r.path() == "/small") return echo(std::move(r), std::move(exchange));
    exchange->reply(200, "text/plain", std::string(20 * 1024 * 1024, 'x'));
  });
  auto sleeper = server.connect(4096);
  sleeper.send(get("/big"));
  auto other = server.connect();
  for (int i = 0; i < 20; ++i) {
    other.send(get("/small"));
    ASSERT_EQ(other.read_response().status, 200);
  }
  double before = cpu_seconds();
  std::this_thread::sleep_for(400ms);
  EXPECT_LT(cpu_seconds() - before, 0.1);
}

TEST(Load, ConnectionsAboveTheCapAreRefusedAndTheOthersServed) {
  Limits limits;
  limits.connections = 5;
  TestServer server(echo, limits, 2);
  std::vector<Client> clients;
  for (int i = 0; i < 5; ++i) {
    clients.push_back(server.connect());
    clients.back().send(get("/"));
    ASSERT_EQ(clients.back().read_response().status, 200);
  }
  for (int i = 0; i < 5; ++i) {
    auto extra = server.connect();
    EXPECT_EQ(extra.read_response().status, 503);
    EXPECT_TRUE(extra.closed());
  }
  EXPECT_EQ(server->counters().refused, 5u);
  EXPECT_EQ(server->counters().connections, 5u);
  clients[0].send(get("/"));
  EXPECT_EQ(clients[0].read_response().status, 200);
  clients.pop_back();
  EXPECT_TRUE(eventually([&] { return server->counters().connections == 4; }));
  auto again = server.connect();
  again.send(get("/"));
  EXPECT_EQ(again.read_response().status, 200);
}

class DescriptorLimit {
 public:
  explicit DescriptorLimit(rlim_t soft) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit low = before_;
    low.rlim_cur = soft;
    ::setrlimit(RLIMIT_NOFILE, &low);
  }
  ~DescriptorLimit() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

rlim_t open_descriptors() {
  rlim_t n = 0;
  for ([[maybe_unused]] auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++n;
  return n;
}

TEST(Load, ServesAgainAfterDescriptorsRanOut) {
  DescriptorLimit low(open_descriptors() + 100);
  TestServer server(echo);
  auto before = server.connect();
  before.send(get("/"));
  ASSERT_EQ(before.read_response().status, 200);
  std::vector<int> taken;
  for (int fd; (fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;) taken.push_back(fd);
  ::close(taken.back());
  taken.pop_back();
  auto starved = server.connect();  // takes the last one; the server cannot accept it
  starved.send(get("/"));
  before.send(get("/"));
  EXPECT_EQ(before.read_response().status, 200);
  for (int fd : taken) ::close(fd);
  EXPECT_EQ(starved.read_response().status, 200);
}

TEST(Load, TheCapStaysBelowTheDescriptorLimit) {
  DescriptorLimit low(1000);
  Limits limits;
  limits.connections = 100'000;
  TestServer many(echo, limits);
  EXPECT_LT(many->capacity(), 950u);
  EXPECT_GT(many->capacity(), 500u);
  limits.connections = 0;
  TestServer automatic(echo, limits);
  EXPECT_EQ(automatic->capacity(), many->capacity());
  limits.connections = 7;
  TestServer few(echo, limits);
  EXPECT_EQ(few->capacity(), 7u);
}

TEST(Load, TheDescriptorLimitCanBeRaised) {
  DescriptorLimit low(300);
  rlimit now{};
  auto raised = raise_descriptor_limit();
  ASSERT_TRUE(raised.is_ok());
  ::getrlimit(RLIMIT_NOFILE, &now);
  EXPECT_EQ(*raised, now.rlim_max);
  EXPECT_EQ(now.rlim_cur, now.rlim_max);
}

}  // namespace
}  // namespace gantry::host::http::testing::limits_test

// What all connections together may hold of unfinished requests and of unread answers.
#include <gtest/gtest.h>

#include "fixture.hpp"

namespace gantry::host::http::testing::budget_test {
namespace {

std::string head_of(std::size_t length) {
  return "POST /p HTTP/1.1\r\nHost: t\r\nContent-Length: " + std::to_string(length) + "\r\n\r\n";
}

// One of them gets the reason, and its connection ends.
bool one_is_refused(std::vector<Client>& crowd) {
  for (Client& client : crowd) {
    client.set_timeout(200ms);
    if (client.read_response().status == 503) return client.closed();
  }
  return false;
}

Limits small() {
  Limits limits;
  limits.tick = 5ms;
  limits.pending_bytes = 512 * 1024;
  limits.unread_bytes = 16 * 1024 * 1024;  // beyond what the system takes of each answer
  return limits;
}

TEST(PendingBytes, AreBoundedForAllConnectionsTogetherAndOthersAreServed) {
  TestServer server(echo, small());
  std::vector<Client> crowd;
  const std::string most = head_of(1'000'000) + std::string(200'000, 'x');
  for (int i = 0; i < 20; ++i) {
    crowd.push_back(server.connect());
    crowd.back().try_send(most);
    auto honest = server.connect();
    honest.send(post("hello"));
    EXPECT_EQ(honest.read_response().status, 200) << i;
    EXPECT_LE(server->counters().pending.held, small().pending_bytes);
  }
  EXPECT_TRUE(eventually([&] { return server->counters().pending.refused >= 16; }));
  EXPECT_TRUE(one_is_refused(crowd));
  crowd.clear();
  EXPECT_TRUE(eventually([&] { return server->counters().pending.held == 0; }));
}

TEST(PendingBytes, CountHeadsThatDrip) {
  Limits limits = small();
  limits.pending_bytes = 64 * 1024;
  TestServer server(echo, limits);
  std::vector<Client> crowd;
  for (int i = 0; i < 30; ++i) {
    crowd.push_back(server.connect());
    crowd.back().try_send("GET / HTTP/1.1\r\nHost: t\r\nX-Pad: " + std::string(8000, 'p'));
  }
  EXPECT_TRUE(eventually([&] { return server->counters().pending.refused >= 20; }));
  EXPECT_LE(server->counters().pending.held, limits.pending_bytes);
  EXPECT_TRUE(one_is_refused(crowd));
}

TEST(PendingBytes, OfARequestThatIsAnsweredAreNoneAnyMore) {
  Kept kept;
  TestServer server(kept.keeper(), small());
  std::vector<Client> clients;
  for (std::size_t i = 0; i < 8; ++i) {
    clients.push_back(server.connect());
    clients.back().send(post(std::string(200'000, 'x')));
    ASSERT_TRUE(kept.wait(i));
  }
  EXPECT_TRUE(eventually([&] { return server->counters().pending.held == 0; }));
  for (std::size_t i = 0; i < clients.size(); ++i) {
    kept.wait(i)->reply(200, "", "");
    EXPECT_EQ(clients[i].read_response().status, 200);
  }
  kept.forget();
}

TEST(PendingBytes, BehindARequestAreDroppedAndItIsAnsweredAllTheSame) {
  Kept kept;
  Limits limits = small();
  limits.pending_bytes = 30 * 1024;
  TestServer server(kept.keeper(), limits);
  auto client = server.connect();
  client.send(post("a"));
  ASSERT_TRUE(kept.wait(0));
  client.try_send(head_of(90'000) + std::string(60'000, 'x'));
  EXPECT_TRUE(eventually([&] { return server->counters().pending.refused >= 1; }));
  EXPECT_LE(server->counters().pending.held, limits.pending_bytes);
  kept.wait(0)->reply(200, "text/plain", "whole");
  EXPECT_EQ(client.read_response().body, "whole");
  EXPECT_TRUE(client.closed());
  kept.forget();
}

TEST(PendingBytes, GiveWayAcrossThreads) {
  TestServer server(echo, small(), 2);
  std::vector<Client> crowd;
  for (int i = 0; i < 12; ++i) {
    crowd.push_back(server.connect());
    crowd.back().try_send(head_of(1'000'000) + std::string(200'000, 'x'));
  }
  EXPECT_TRUE(eventually([&] { return server->counters().pending.refused >= 8; }));
  EXPECT_LE(server->counters().pending.held, small().pending_bytes);
  auto honest = server.connect();
  honest.send(post("hello"));
  EXPECT_EQ(honest.read_response().status, 200);
}

TEST(UnreadBytes, AreBoundedForAllConnectionsTogetherAndAReaderGetsItsAnswer) {
  const auto body = std::make_shared<const std::string>(7'500'000, 'y');
  TestServer server([&](Request&&, auto exchange) { exchange->reply(200, "", *body); }, small());
  std::vector<Client> crowd;
  for (int i = 0; i < 12; ++i) {
    crowd.push_back(server.connect(4096));
    crowd.back().send(get("/"));
    EXPECT_TRUE(eventually([&] { return server->counters().requests == crowd.size(); }));
  }
  auto reader = server.connect();
  reader.send(get("/"));
  EXPECT_EQ(reader.read_response().body.size(), body->size());
  EXPECT_TRUE(eventually([&] { return server->counters().unread.refused >= 8; }));
  EXPECT_LE(server->counters().unread.held, small().unread_bytes);
  EXPECT_LT(crowd.front().read_all().size(), body->size()) << "it was cut";
}

TEST(UnreadBytes, OfStreamsCountToo) {
  Kept kept;
  TestServer server(kept.keeper(), small());
  std::vector<Client> crowd;
  for (std::size_t i = 0; i < 10; ++i) {
    crowd.push_back(server.connect(4096));
    crowd.back().send(get("/"));
    const auto exchange = kept.wait(i);
    ASSERT_TRUE(exchange && exchange->open_stream());
    exchange->write("data: " + std::string(7'500'000, 'e') + "\n\n");
  }
  EXPECT_TRUE(eventually([&] { return server->counters().unread.refused >= 6; }));
  EXPECT_LE(server->counters().unread.held, small().unread_bytes);
  EXPECT_TRUE(eventually([&] { return server->counters().streams <= 4; }));
  kept.forget();
}

}  // namespace
}  // namespace gantry::host::http::testing::budget_test

// Answers of a known length that are written piece by piece.
#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "fixture.hpp"

namespace gantry::host::http::testing::body_test {
namespace {

TEST(Body, ArrivesWithItsLengthAndTheConnectionServesOn) {
  Kept kept;
  TestServer server(kept.keeper());
  auto client = server.connect();
  for (std::size_t i = 0; i < 2; ++i) {
    client.send(get("/"));
    const auto exchange = kept.wait(i);
    const Header extra{"Content-Range", "bytes 0-9/99"};
    ASSERT_TRUE(exchange->open_body(206, "text/csv", 10, {&extra, 1}));
    EXPECT_TRUE(exchange->write("01234"));
    EXPECT_TRUE(exchange->write(std::make_shared<const std::string>("56789")));
    exchange->close();
    EXPECT_FALSE(exchange->is_open());
    const auto response = client.read_response();
    EXPECT_EQ(response.status, 206);
    EXPECT_NE(response.head.find("HTTP/1.1 206 Partial Content\r\n"), std::string::npos);
    EXPECT_EQ(response.header("Content-Length"), "10");
    EXPECT_EQ(response.header("Content-Type"), "text/csv");
    EXPECT_EQ(response.header("Content-Range"), "bytes 0-9/99");
    EXPECT_EQ(response.head.find("Transfer-Encoding"), std::string::npos);
    EXPECT_EQ(response.body, "0123456789");
  }
  kept.forget();
}

TEST(Body, IsOnlyAnnouncedToHead) {
  Kept kept;
  TestServer server(kept.keeper());
  auto client = server.connect();
  client.send("HEAD / HTTP/1.1\r\nHost: t\r\n\r\n");
  const auto exchange = kept.wait();
  EXPECT_FALSE(exchange->open_body(200, "text/csv", 5'000'000'000));
  EXPECT_FALSE(exchange->write("x"));
  EXPECT_EQ(client.read_response(true).header("Content-Length"), "5000000000");
  client.send(get("/"));
  EXPECT_FALSE(kept.wait(1)->open_body(200, "text/csv", 0));
  const auto empty = client.read_response();
  EXPECT_EQ(empty.status, 200);
  EXPECT_EQ(empty.header("Content-Length"), "0");
  kept.forget();
}

TEST(Body, ThatIsNotWholeIsCut) {
  Kept kept;
  TestServer server(kept.keeper());
  auto client = server.connect();
  client.send(get("/"));
  ASSERT_TRUE(kept.wait()->open_body(200, "text/csv", 10));
  ASSERT_TRUE(kept.wait()->write("01234"));
  kept.wait()->close();
  const std::string all = client.read_all();
  EXPECT_TRUE(all.empty() || all.ends_with("\r\n\r\n") || all.ends_with("\r\n\r\n01234")) << all;
  EXPECT_TRUE(client.closed());
  auto other = server.connect();
  other.send(get("/"));
  ASSERT_TRUE(kept.wait(1)->open_body(200, "text/csv", 10));
  kept.forget();  // the exchange is given up
  other.read_all();
  EXPECT_TRUE(other.closed());
}

TEST(Body, IsNeverLongerThanWasSaid) {
  Kept kept;
  TestServer server(kept.keeper());
  auto client = server.connect();
  client.send(get("/"));
  const auto exchange = kept.wait();
  ASSERT_TRUE(exchange->open_body(200, "text/csv", 3));
  EXPECT_FALSE(exchange->write("0123"));
  EXPECT_EQ(client.read_all().find("0123"), std::string::npos);
  kept.forget();
}

TEST(Body, HasNoPingBetweenItsBytes) {
  Kept kept;
  Limits limits;
  limits.heartbeat = 5ms;
  limits.tick = 1ms;
  TestServer server(kept.keeper(), limits);
  auto client = server.connect();
  client.send(get("/"));
  ASSERT_TRUE(kept.wait()->open_body(200, "text/csv", 10));
  ASSERT_TRUE(kept.wait()->write("01234"));
  auto listener = server.connect();
  listener.send(get("/events"));
  ASSERT_TRUE(kept.wait(1)->open_stream());
  for (int i = 0; i < 3; ++i) ASSERT_NE(listener.read_until(": ping\n\n"), "");
  ASSERT_TRUE(kept.wait()->write("56789"));
  kept.wait()->close();
  EXPECT_EQ(client.read_response().body, "0123456789");
  kept.forget();
}

TEST(Body, GoesToAClientThatHasSaidAll) {
  Kept kept;
  TestServer server(kept.keeper());
  auto client = server.connect();
  client.send(get("/"));
  client.shut_write();
  const auto exchange = kept.wait();
  ASSERT_TRUE(exchange->open_body(200, "text/csv", 4));
  ASSERT_TRUE(exchange->write("ab"));
  EXPECT_NE(client.read_until("ab"), "");
  ASSERT_TRUE(exchange->write("cd"));
  exchange->close();
  EXPECT_EQ(client.read_all(), "cd");
  kept.forget();
}

constexpr std::size_t kPiece = 64 * 1024, kPieces = 64;

// Writes a piece whenever the one before has left; holds itself until it has written all.
struct Writer : std::enable_shared_from_this<Writer> {
  void pull() {
    if (exchange->backlog() > most) most = exchange->backlog();
    if (exchange->backlog() > 0) return again();
    if (written == kPieces) {
      exchange->close();
      return ended.set_value(true);
    }
    if (!exchange->write(std::string(kPiece, static_cast<char>('A' + written++ % 26)))) {
      return ended.set_value(false);
    }
    again();
  }
  void again() {
    exchange->when_drained([self = shared_from_this()] { self->pull(); });
  }

  std::shared_ptr<Exchange> exchange;
  std::size_t written = 0, most = 0;
  std::promise<bool> ended;
};

TEST(Body, WaitsForAReaderThatTakesItsTime) {
  Kept kept;
  TestServer server(kept.keeper());
  auto client = server.connect(4096);
  client.send(get("/"));
  auto writer = std::make_shared<Writer>();
  writer->exchange = kept.wait();
  ASSERT_TRUE(writer->exchange->open_body(200, "text/plain", kPiece * kPieces));
  writer->pull();
  const auto response = client.read_response();
  EXPECT_TRUE(writer->ended.get_future().get());
  ASSERT_EQ(response.body.size(), kPiece * kPieces);
  for (std::size_t i = 0; i < kPieces; ++i) {
    EXPECT_EQ(response.body.substr(i * kPiece, kPiece),
              std::string(kPiece, static_cast<char>('A' + i % 26)));
  }
  EXPECT_LE(writer->most, 2 * kPiece);
  kept.forget();
}

TEST(Body, ReportsAClientThatDisconnects) {
  Kept kept;
  TestServer server(kept.keeper());
  auto client = server.connect(4096);
  client.send(get("/"));
  std::promise<void> gone;
  auto exchange = kept.wait();
  exchange->on_disconnect([&gone] { gone.set_value(); });
  ASSERT_TRUE(exchange->open_body(200, "text/plain", 1 << 30));
  ASSERT_TRUE(exchange->write(std::string(4 << 20, 'x')));
  client.reset();
  gone.get_future().wait();
  EXPECT_FALSE(exchange->write("x"));
  EXPECT_FALSE(exchange->is_open());
  EXPECT_TRUE(eventually([&] { return server->counters().active == 0; }));
  EXPECT_EQ(server->counters().streams, 0u);
  exchange.reset();
  kept.forget();
}

TEST(Body, ThatIsNotReadIsCut) {
  Kept kept;
  Limits limits;
  limits.write_stall = 50ms;
  limits.tick = 1ms;
  TestServer server(kept.keeper(), limits);
  auto client = server.connect(4096);
  client.send(get("/"));
  const auto exchange = kept.wait();
  ASSERT_TRUE(exchange->open_body(200, "text/plain", 6 << 20));
  ASSERT_TRUE(exchange->write(std::string(6 << 20, 'x')));
  std::promise<void> gone;
  exchange->on_disconnect([&gone] { gone.set_value(); });
  gone.get_future().wait();  // nothing is read: cut
  EXPECT_EQ(server->counters().timeouts, 1u);
  kept.forget();
}

}  // namespace
}  // namespace gantry::host::http::testing::body_test

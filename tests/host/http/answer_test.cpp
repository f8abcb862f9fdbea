// Whole answers: framing, keep-alive, headers.
#include <gtest/gtest.h>

#include "fixture.hpp"

namespace gantry::host::http::testing {
namespace {

OnRequest replies(int status, std::string body) {
  return [=](Request&&, std::shared_ptr<Exchange> exchange) {
    exchange->reply(status, "text/plain", body);
  };
}

TEST(Answer, CarriesLengthDateAndType) {
  TestServer server(replies(200, "hi"));
  auto client = server.connect();
  client.send(get("/"));
  auto response = client.read_response();
  EXPECT_TRUE(response.head.starts_with("HTTP/1.1 200 OK\r\n"));
  EXPECT_EQ(response.header("Content-Length"), "2");
  EXPECT_EQ(response.header("Content-Type"), "text/plain");
  EXPECT_EQ(response.header("Date").size(), 29u);
  EXPECT_EQ(response.header("Connection"), "");
}

TEST(Answer, HeadSendsTheLengthAndNoBody) {
  TestServer server(replies(200, "hello"));
  auto client = server.connect();
  client.send("HEAD / HTTP/1.1\r\nHost: t\r\n\r\n");
  EXPECT_EQ(client.read_response(true).header("Content-Length"), "5");
  client.send(get("/"));
  EXPECT_EQ(client.read_response().body, "hello");
}

TEST(Answer, NoContentHasNeitherBodyNorLength) {
  TestServer server(replies(204, "never sent"));
  auto client = server.connect();
  client.send(get("/") + get("/"));
  EXPECT_EQ(client.read_response().header("Content-Length"), "");
  EXPECT_EQ(client.read_response().status, 204);
}

TEST(Answer, ConnectionCloseIsHonoured) {
  TestServer server(replies(200, "bye"));
  auto client = server.connect();
  client.send(get("/", "Connection: close\r\n") + get("/2"));
  auto response = client.read_response();
  EXPECT_EQ(response.header("Connection"), "close");
  EXPECT_EQ(response.body, "bye");
  EXPECT_TRUE(client.closed());
  EXPECT_EQ(server->counters().requests, 1u);
}

TEST(Answer, CountsTheBytesOfBothDirections) {
  const std::string large(3'000'000, 'x');  // more than a socket takes at once
  TestServer server(replies(200, large));
  auto client = server.connect();
  const std::string request = get("/", "Connection: close\r\n");
  client.send(request);
  const auto response = client.read_response();
  ASSERT_EQ(response.body.size(), large.size());
  EXPECT_TRUE(client.closed());
  const std::size_t sent = response.head.size() + 4 + large.size();  // and the empty line
  EXPECT_EQ(server->counters().bytes_received, request.size());
  EXPECT_TRUE(eventually([&] { return server->counters().bytes_sent >= sent - 4; }));
  EXPECT_LE(server->counters().bytes_sent, sent);
}

TEST(Answer, Http10ClosesUnlessAskedToKeep) {
  TestServer server(replies(200, "x"));
  auto client = server.connect();
  client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_EQ(client.read_response().header("Connection"), "keep-alive");
  client.send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.read_response().header("Connection"), "close");
  EXPECT_TRUE(client.closed());
}

TEST(Answer, FromAnotherThreadArrives) {
  TestServer* at = nullptr;
  TestServer server([&](Request&&, std::shared_ptr<Exchange> exchange) {
    at->elsewhere([exchange] { EXPECT_TRUE(exchange->reply(200, "text/plain", "pool")); });
  });
  at = &server;
  auto client = server.connect();
  for (int i = 0; i < 20; ++i) {
    client.send(get("/"));
    ASSERT_EQ(client.read_response().body, "pool");
  }
}

TEST(Answer, SharedBytesAreSentToMany) {
  auto bytes = std::make_shared<const std::string>(100'000, 's');
  TestServer server([&](Request&&, std::shared_ptr<Exchange> exchange) {
    exchange->reply(200, "text/plain", bytes);
  });
  auto client = server.connect();
  client.send(get("/") + get("/"));
  EXPECT_EQ(client.read_response().body, *bytes);
  EXPECT_EQ(client.read_response().body, *bytes);
}

TEST(Answer, OnlyTheFirstOneIsSent) {
  TestServer server([](Request&&, std::shared_ptr<Exchange> exchange) {
    EXPECT_TRUE(exchange->is_open());
    EXPECT_TRUE(exchange->reply(200, "text/plain", "first"));
    EXPECT_FALSE(exchange->is_open());
    EXPECT_FALSE(exchange->reply(200, "text/plain", "second"));
    EXPECT_FALSE(exchange->open_stream());
    EXPECT_FALSE(exchange->write("data: x\n\n"));
    exchange->close();
  });
  auto client = server.connect();
  client.send(get("/", "Connection: close\r\n"));
  auto all = client.read_all();
  EXPECT_TRUE(all.ends_with("\r\n\r\nfirst")) << all;
}

TEST(Answer, ExtraHeadersAreSent) {
  TestServer server([](Request&&, std::shared_ptr<Exchange> exchange) {
    Header extra[] = {{"Mcp-Session-Id", "abc"}, {"Allow", "POST, GET"}};
    exchange->reply(405, "", "", extra);
  });
  auto client = server.connect();
  client.send(get("/"));
  auto response = client.read_response();
  EXPECT_EQ(response.header("Mcp-Session-Id"), "abc");
  EXPECT_EQ(response.header("Allow"), "POST, GET");
  EXPECT_EQ(response.header("Content-Type"), "");
}

TEST(Answer, HeadersThatWouldInjectBecomeA500) {
  const Header bad[] = {
      {"X-A", "1\r\nSet-Cookie: x"}, {"X-A", "1\n"}, {"X A", "1"},
      {"X-A\r\nX-B", "1"},           {"", "1"},      {"X-A", std::string_view("\0", 1)}};
  for (const auto& header : bad) {
    for (bool stream : {false, true}) {
      TestServer server([&](Request&&, std::shared_ptr<Exchange> exchange) {
        Headers extra(&header, 1);
        if (stream) {
          EXPECT_FALSE(exchange->open_stream(extra));
        } else {
          exchange->reply(200, "text/plain", "secret", extra);
        }
      });
      auto client = server.connect();
      client.send(get("/"));
      auto response = client.read_response();
      EXPECT_EQ(response.status, 500);
      EXPECT_EQ(response.head.find("Cookie"), std::string::npos);
      EXPECT_EQ(response.body.find("secret"), std::string::npos);
    }
  }
}

TEST(Answer, ContentTypeThatWouldInjectBecomesA500) {
  TestServer server([](Request&&, std::shared_ptr<Exchange> exchange) {
    exchange->reply(200, "text/plain\r\nX: y", "secret");
  });
  auto client = server.connect();
  client.send(get("/"));
  EXPECT_EQ(client.read_response().status, 500);
}

TEST(Answer, AnExceptionInTheHandlerIsA500AndTellsNothing) {
  TestServer server([](Request&& r, std::shared_ptr<Exchange>) {
    if (r.path() == "/odd") throw 123;
    throw std::runtime_error("password=hunter2");
  });
  auto client = server.connect();
  for (const char* path : {"/", "/odd"}) {
    client.send(get(path));
    auto response = client.read_response();
    EXPECT_EQ(response.status, 500);
    EXPECT_EQ(response.body.find("hunter2"), std::string::npos);
  }
  EXPECT_EQ(server->counters().failures, 2u);
}

TEST(Answer, AnExchangeThatIsDroppedAnswers500) {
  TestServer* at = nullptr;
  TestServer server([&](Request&& r, std::shared_ptr<Exchange> exchange) {
    if (r.path() == "/here") return;
    at->elsewhere([exchange = std::move(exchange)]() mutable {
      std::this_thread::sleep_for(5ms);
      exchange.reset();
    });
  });
  at = &server;
  auto client = server.connect();
  client.send(get("/here"));
  EXPECT_EQ(client.read_response().status, 500);
  client.send(get("/there"));
  EXPECT_EQ(client.read_response().status, 500);
}

TEST(Answer, AHalfClosedClientGetsItsAnswer) {
  Kept kept;
  std::atomic<int> gone{0};
  Limits limits;
  limits.tick = 5ms;
  TestServer server(
      [&](Request&& r, std::shared_ptr<Exchange> exchange) {
        exchange->on_disconnect([&] { ++gone; });
        kept.keeper()(std::move(r), std::move(exchange));
      },
      limits);
  auto client = server.connect();
  client.send(get("/"));
  client.shut_write();
  auto exchange = kept.wait();
  std::this_thread::sleep_for(50ms);
  EXPECT_TRUE(exchange->is_open());
  exchange->reply(200, "text/plain", "late");
  EXPECT_EQ(client.read_response().body, "late");
  EXPECT_TRUE(client.closed());
  EXPECT_EQ(gone, 0);
  kept.forget();
}

TEST(Answer, AHalfClosedClientGetsAllItsPipelinedAnswers) {
  TestServer server(echo);
  auto client = server.connect();
  client.send(get("/1") + get("/2") + get("/3"));
  client.shut_write();
  auto all = client.read_all();
  EXPECT_NE(all.find("GET /3|"), std::string::npos);
}

TEST(Answer, TwentyMegabytesArriveWhole) {
  std::string big(20 * 1024 * 1024, 'b');
  for (std::size_t i = 0; i < big.size(); i += 4096)
    big[i] = static_cast<char>('a' + i / 4096 % 26);
  TestServer server(replies(200, big));
  auto client = server.connect();
  client.send(get("/") + get("/"));
  EXPECT_TRUE(client.read_response().body == big);
  EXPECT_TRUE(client.read_response().body == big);
}

}  // namespace
}  // namespace gantry::host::http::testing

// Well-formed requests, however they are cut into segments.
#include <gtest/gtest.h>

#include "fixture.hpp"

namespace gantry::host::http::testing::parse_test {
namespace {

constexpr const char* kWithLength =
    "POST /a/b?x=1 HTTP/1.1\r\nHost: t:80\r\nX-One: 1\r\nContent-Length: 5\r\n\r\nhello";
constexpr const char* kLengthSeen = "POST /a/b?x=1|host=t:80;x-one=1;content-length=5;|hello";
constexpr const char* kChunked =
    "POST /c HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n"
    "5;name=value;q=\"a;b\"\r\nhello\r\n1\r\n \r\n5\r\nworld\r\n0\r\nX-Trailer: dropped\r\n\r\n";
constexpr const char* kChunkedSeen = "POST /c|host=t;transfer-encoding=chunked;|hello world";

void expect_same_when_split(std::string_view wire, std::string_view seen) {
  TestServer server(echo);
  auto client = server.connect();
  for (std::size_t cut = 1; cut < wire.size(); ++cut) {
    client.send(wire.substr(0, cut));
    std::this_thread::sleep_for(200us);  // so that the server reads the first part alone
    client.send(wire.substr(cut));
    auto response = client.read_response();
    ASSERT_EQ(response.status, 200) << "cut at " << cut;
    ASSERT_EQ(response.body, seen) << "cut at " << cut;
  }
}

TEST(Parse, RequestWithLengthSplitAtEveryByteIsTheSame) {
  expect_same_when_split(kWithLength, kLengthSeen);
}

TEST(Parse, ChunkedRequestSplitAtEveryByteIsTheSame) {
  expect_same_when_split(kChunked, kChunkedSeen);
}

TEST(Parse, RequestSentByteByByteIsTheSame) {
  TestServer server(echo);
  auto client = server.connect();
  for (std::string_view wire : {kWithLength, kChunked}) {
    for (char c : wire) client.send({&c, 1});
    EXPECT_EQ(client.read_response().status, 200);
  }
}

TEST(Parse, PipelinedRequestsAreAnsweredInOrder) {
  TestServer server(echo);
  auto client = server.connect();
  std::string all;
  for (int i = 0; i < 200; ++i) all += get("/" + std::to_string(i)) + post(std::to_string(i));
  client.send(all);
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(client.read_response().body, "GET /" + std::to_string(i) + "|host=t;|");
    auto body = client.read_response().body;
    EXPECT_TRUE(body.ends_with("|" + std::to_string(i))) << body;
  }
}

TEST(Parse, PipelinedRequestsWaitForTheAnswerBeforeThem) {
  Kept kept;
  TestServer server(kept.keeper());
  auto client = server.connect();
  client.send(get("/1") + get("/2"));
  auto first = kept.wait(0);
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(server->counters().requests, 1u);
  first->reply(200, "text/plain", "one");
  kept.wait(1)->reply(200, "text/plain", "two");
  EXPECT_EQ(client.read_response().body, "one");
  EXPECT_EQ(client.read_response().body, "two");
  kept.forget();
}

TEST(Parse, MoreInputThanMayWaitIsReadLater) {
  Kept kept;
  TestServer server(kept.keeper());
  auto client = server.connect();
  client.send(get("/1"));
  auto first = kept.wait(0);
  std::string body(900 * 1024, 'x');
  std::thread sender([&] { client.send(post(body) + get("/3")); });
  std::this_thread::sleep_for(50ms);
  first->reply(200, "text/plain", "one");
  sender.join();
  kept.wait(1)->reply(200, "text/plain", "two");
  kept.wait(2)->reply(200, "text/plain", "three");
  EXPECT_EQ(client.read_response().body, "one");
  EXPECT_EQ(client.read_response().body, "two");
  EXPECT_EQ(client.read_response().body, "three");
  kept.forget();
}

TEST(Parse, HeaderLookupIgnoresCaseAndTrimsBlanks) {
  TestServer server([](Request&& request, std::shared_ptr<Exchange> exchange) {
    auto found = request.header("X-MiXed");
    auto absent = request.header("x-absent");
    exchange->reply(200, "", std::string(found.value_or("?")) + (absent ? "!" : "."));
  });
  auto client = server.connect();
  client.send(get("/", "x-mIXED: \t a b\t \r\n"));
  EXPECT_EQ(client.read_response().body, "a b.");
}

TEST(Parse, HeaderNamesWithUnderscoresAreDropped) {
  TestServer server(echo);
  auto client = server.connect();
  client.send(get("/", "Content_Length: 5\r\nX_Mcp_Key: k\r\nX-Ok: 1\r\n"));
  EXPECT_EQ(client.read_response().body, "GET /|host=t;x-ok=1;|");
}

TEST(Parse, PathAndQueryAreSplitAtTheFirstQuestionMark) {
  TestServer server([](Request&& r, std::shared_ptr<Exchange> exchange) {
    exchange->reply(200, "", std::string(r.path()) + " " + std::string(r.query()));
  });
  auto client = server.connect();
  client.send(get("/a%20b?x=1?y"));
  EXPECT_EQ(client.read_response().body, "/a%20b x=1?y");
}

TEST(Parse, ThePeerIsTheClientsAddress) {
  TestServer server(
      [](Request&& r, std::shared_ptr<Exchange> exchange) { exchange->reply(200, "", r.peer); });
  auto client = server.connect();
  client.send(get("/"));
  EXPECT_EQ(client.read_response().body, "127.0.0.1");
}

TEST(Parse, ExpectedContinueIsSentBeforeTheBodyComes) {
  TestServer server(echo);
  auto client = server.connect();
  client.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("ok");
  EXPECT_EQ(client.read_response().status, 200);
}

TEST(Parse, ContinueIsNotSentWhenTheBodyCameAlong) {
  TestServer server(echo);
  auto client = server.connect();
  client.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\nok");
  EXPECT_EQ(client.read_response().status, 200);
  EXPECT_EQ(client.interim(), 0);
}

TEST(Parse, AFewEmptyLinesBeforeARequestAreAllowed) {
  TestServer server(echo);
  auto client = server.connect();
  client.send("\r\n" + get("/1") + "\r\n\r\n\r\n\r\n" + get("/2"));
  EXPECT_EQ(client.read_response().body, "GET /1|host=t;|");
  EXPECT_EQ(client.read_response().body, "GET /2|host=t;|");
  for (const char byte : "\r\n\r\n" + get("/3")) {
    client.send({&byte, 1});
    std::this_thread::sleep_for(200us);
  }
  EXPECT_EQ(client.read_response().body, "GET /3|host=t;|");
}

TEST(Parse, AnEmptyLineIsNoBeginningOfARequest) {
  Limits limits;
  limits.head_timeout = 50ms;
  limits.keep_alive_timeout = 300ms;
  limits.tick = 10ms;
  TestServer server(echo, limits);
  auto client = server.connect();
  client.send(get("/1") + "\r\n");
  EXPECT_EQ(client.read_response().status, 200);
  std::this_thread::sleep_for(150ms);
  client.send(get("/2"));
  EXPECT_EQ(client.read_response().status, 200);
}

TEST(Parse, BodyOfExactlyTheLimitArrives) {
  Limits limits;
  limits.body_bytes = 1000;
  TestServer server(echo, limits);
  auto client = server.connect();
  client.send(post(std::string(1000, 'x')));
  EXPECT_EQ(client.read_response().status, 200);
  client.send("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n3e7\r\n" +
              std::string(999, 'x') + "\r\n1\r\nx\r\n0\r\n\r\n");
  EXPECT_EQ(client.read_response().status, 200);
}

TEST(Parse, HeadOfExactlyTheLimitArrives) {
  Limits limits;
  limits.head_bytes = 500;
  TestServer server(echo, limits);
  auto client = server.connect();
  std::string head = get("/", "X-Pad: \r\n");
  client.send(get("/", "X-Pad: " + std::string(500 - head.size(), 'p') + "\r\n"));
  EXPECT_EQ(client.read_response().status, 200);
}

TEST(Parse, AnAbsoluteTargetIsItsPathAndItsHost) {
  TestServer server(echo);
  auto client = server.connect();
  const std::pair<std::string, std::string> kCases[] = {
      {"GET http://t:80/a?b=http://c HTTP/1.1\r\nHost: T:80", "GET /a?b=http://c|host=t:80;|"},
      {"GET HTTPS://t HTTP/1.1\r\nX-A: 1\r\nHost: t", "GET /|host=t;x-a=1;|"},
      {"GET http://t/a HTTP/1.0\r\nConnection: keep-alive",
       "GET /a|host=t;connection=keep-alive;|"},
      {"GET /http://t/a HTTP/1.1\r\nHost: u", "GET /http://t/a|host=u;|"},
  };
  for (const auto& [head, seen] : kCases) {
    client.send(head + "\r\n\r\n");
    const auto response = client.read_response();
    EXPECT_EQ(response.status, 200) << head;
    EXPECT_EQ(response.body, seen);
  }
}

TEST(Parse, OptionsMayNameTheWholeServer) {
  TestServer server(echo);
  auto client = server.connect();
  client.send("OPTIONS * HTTP/1.1\r\nHost: t\r\n\r\n");
  EXPECT_EQ(client.read_response().body, "OPTIONS *|host=t;|");
}

}  // namespace
}  // namespace gantry::host::http::testing::parse_test

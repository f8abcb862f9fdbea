// Malformed, ambiguous and oversize requests: the right status, then the connection is closed.
#include <gtest/gtest.h>

#include "fixture.hpp"

namespace gantry::host::http::testing::refuse_test {
namespace {

struct Case {
  const char* name;
  int status;
  std::string wire;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

std::string with(std::string fields) { return "GET / HTTP/1.1\r\nHost: t\r\n" + fields + "\r\n"; }

std::string chunked(std::string body) {
  return "POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n" + body;
}

std::string many_headers(int n) {
  std::string out;
  for (int i = 0; i < n; ++i) out += "X-" + std::to_string(i) + ": 1\r\n";
  return out;
}

const Case kCases[] = {
    {"DuplicateContentLength", 400, with("Content-Length: 0\r\nContent-Length: 0\r\n")},
    {"DifferentContentLengths", 400, with("Content-Length: 1\r\nContent-Length: 2\r\n") + "xx"},
    {"ContentLengthList", 400, with("Content-Length: 2, 2\r\n") + "xx"},
    {"SignedContentLength", 400, with("Content-Length: +2\r\n") + "xx"},
    {"NegativeContentLength", 400, with("Content-Length: -1\r\n")},
    {"HexContentLength", 400, with("Content-Length: 0x2\r\n") + "xx"},
    {"EmptyContentLength", 400, with("Content-Length: \r\n")},
    {"WordContentLength", 400, with("Content-Length: abc\r\n")},
    {"OverflowingContentLength", 400, with("Content-Length: 18446744073709551618\r\n")},
    {"EndlessContentLength", 400, with("Content-Length: " + std::string(400, '9') + "\r\n")},
    {"LargestContentLength", 413, with("Content-Length: 18446744073709551615\r\n")},
    {"LengthThenChunked", 400, with("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n") + "0"},
    {"ChunkedThenLength", 400, with("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n") + "0"},
    {"UnknownTransferEncoding", 501, with("Transfer-Encoding: gzip\r\n")},
    {"GzipThenChunked", 501, with("Transfer-Encoding: gzip, chunked\r\n")},
    {"ChunkedThenGzip", 501, with("Transfer-Encoding: chunked, gzip\r\n")},
    {"ChunkedTwiceInOneField", 501, with("Transfer-Encoding: chunked, chunked\r\n")},
    {"ChunkedTwice", 400, with("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n")},
    {"MisspeltChunked", 501, with("Transfer-Encoding: xchunked\r\n")},
    {"ChunkedInHttp10", 400, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
    {"SpaceAfterChunkSize", 400, chunked("5 \r\nhello\r\n0\r\n\r\n")},
    {"ChunkSizeNotHex", 400, chunked("g\r\nhello\r\n0\r\n\r\n")},
    {"EmptyChunkSize", 400, chunked("\r\nhello\r\n")},
    {"SignedChunkSize", 400, chunked("+5\r\nhello\r\n0\r\n\r\n")},
    {"HexPrefixedChunkSize", 400, chunked("0x5\r\nhello\r\n0\r\n\r\n")},
    {"OverflowingChunkSize", 400, chunked("fffffffffffffffff\r\nhello")},
    {"LargestChunkSize", 413, chunked("ffffffffffffffff\r\nhello")},
    {"ChunkLongerThanItsSize", 400, chunked("3\r\nhello\r\n0\r\n\r\n")},
    {"BareLfInChunkLine", 400, chunked("5\nhello\r\n0\r\n\r\n")},
    {"ControlInChunkExtension", 400, chunked("5;a=\"\x01\"\r\nhello\r\n0\r\n\r\n")},
    {"LengthInTrailer", 400, chunked("0\r\nContent-Length: 5\r\n\r\n")},
    {"ChunksGrowPastTheLimit", 413,
     chunked("80000\r\n" + std::string(0x80000, 'x') + "\r\n80001\r\n")},
    {"TwoHosts", 400, with("Host: other\r\n")},
    {"MissingHost", 400, "GET / HTTP/1.1\r\n\r\n"},
    {"HostWithPath", 400, "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"},
    {"HostWithUser", 400, "GET / HTTP/1.1\r\nHost: a@b\r\n\r\n"},
    {"FoldedHeader", 400, with("X-A: 1\r\n 2\r\n")},
    {"FoldedWithTab", 400, with("X-A: 1\r\n\t2\r\n")},
    {"BlankBeforeFirstHeader", 400, "GET / HTTP/1.1\r\n Host: t\r\n\r\n"},
    {"SpaceBeforeColon", 400, with("X-A : 1\r\n")},
    {"NoColon", 400, with("NoColonHere\r\n")},
    {"EmptyName", 400, with(": 1\r\n")},
    {"NameNotAToken", 400, with("X(A): 1\r\n")},
    {"NameWithHighByte", 400, with("X-\xc3\xa4: 1\r\n")},
    {"BareLf", 400, "GET / HTTP/1.1\nHost: t\n\n"},
    {"BareLfInHeaders", 400, "GET / HTTP/1.1\r\nHost: t\nX-A: 1\r\n\r\n"},
    {"BareCrInValue", 400, with("X-A: 1\rX-B: 2\r\n")},
    {"NulInValue", 400, with(std::string("X-A: 1\0", 7) + "2\r\n")},
    {"ControlInValue", 400, with("X-A: \x01\r\n")},
    {"DeleteInValue", 400, with("X-A: \x7f\r\n")},
    {"NulInName", 400, with(std::string("X\0A: 1\r\n", 8))},
    {"TargetOfAnotherHost", 400, "GET http://t/ HTTP/1.1\r\nHost: u\r\n\r\n"},
    {"TargetOfAnotherPort", 400, "GET http://t:81/ HTTP/1.1\r\nHost: t\r\n\r\n"},
    {"HostBesideAnotherInTheTarget", 400, "GET http://t/ HTTP/1.1\r\nHost: t\r\nHost: t\r\n\r\n"},
    {"TargetWithHostWithoutHeader", 400, "GET http://t/ HTTP/1.1\r\n\r\n"},
    {"TargetWithUser", 400, "GET http://a@t/ HTTP/1.1\r\nHost: t\r\n\r\n"},
    {"TargetWithoutHost", 400, "GET http:/// HTTP/1.1\r\nHost: t\r\n\r\n"},
    {"TargetOfAnotherScheme", 400, "GET ftp://t/ HTTP/1.1\r\nHost: t\r\n\r\n"},
    {"FragmentInAbsoluteTarget", 400, "GET http://t/#a HTTP/1.1\r\nHost: t\r\n\r\n"},
    {"AuthorityTarget", 400, "CONNECT t:80 HTTP/1.1\r\nHost: t\r\n\r\n"},
    {"StarWithGet", 400, "GET * HTTP/1.1\r\nHost: t\r\n\r\n"},
    {"RelativeTarget", 400, "GET a HTTP/1.1\r\nHost: t\r\n\r\n"},
    {"FragmentInTarget", 400, "GET /#a HTTP/1.1\r\nHost: t\r\n\r\n"},
    {"HighByteInTarget", 400, "GET /\xc3\xa4 HTTP/1.1\r\nHost: t\r\n\r\n"},
    {"SpaceInTarget", 400, "GET /a b HTTP/1.1\r\nHost: t\r\n\r\n"},
    {"TwoSpacesInRequestLine", 400, "GET  / HTTP/1.1\r\nHost: t\r\n\r\n"},
    {"LeadingBlank", 400, " GET / HTTP/1.1\r\nHost: t\r\n\r\n"},
    {"MethodNotAToken", 400, "G{T / HTTP/1.1\r\nHost: t\r\n\r\n"},
    {"NoVersion", 400, "GET /\r\nHost: t\r\n\r\n"},
    {"WordForVersion", 400, "GET / HTTX/1.1\r\nHost: t\r\n\r\n"},
    {"LowerCaseVersion", 400, "GET / http/1.1\r\nHost: t\r\n\r\n"},
    {"HttpTwo", 505, "GET / HTTP/2.0\r\nHost: t\r\n\r\n"},
    {"PreambleOfHttpTwo", 505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
    {"HttpOneDotTwo", 505, "GET / HTTP/1.2\r\nHost: t\r\n\r\n"},
    {"FiveEmptyLinesFirst", 400, "\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: t\r\n\r\n"},
    {"TooLargeWithoutHost", 400, "POST / HTTP/1.1\r\nContent-Length: 1048577\r\n\r\n"},
    {"UnknownExpectation", 417, with("Expect: miracles\r\n")},
    {"BodyDeclaredTooLarge", 413, with("Content-Length: 1048577\r\n")},
    {"TooLargeDespiteExpect", 413, with("Content-Length: 1048577\r\nExpect: 100-continue\r\n")},
    {"HeadTooLargeAtOnce", 431, with("X-A: " + std::string(20'000, 'a') + "\r\n")},
    {"TooManyHeaders", 431, with(many_headers(100))},
    {"TooManyTrailers", 431, chunked("0\r\n" + many_headers(101) + "\r\n")},
    {"TlsHello", 400, std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n", 12)},
};

// Never ending: refused although the end is not in sight.
const Case kEndless[] = {
    {"EndlessChunkLine", 431, chunked("5;a=" + std::string(20'000, 'x'))},
    {"EndlessTrailers", 431, chunked("0\r\n" + std::string(20'000, 'x'))},
    {"RequestLineTooLong", 414, "GET /" + std::string(20'000, 'a')},
    {"HeadTooLarge", 431, "GET / HTTP/1.1\r\nHost: t\r\nX-A: " + std::string(20'000, 'a')},
};

class Refuses : public ::testing::TestWithParam<Case> {};

TEST_P(Refuses, WithTheRightStatusAndCloses) {
  TestServer server(echo);
  auto client = server.connect();
  client.try_send(GetParam().wire + get("/smuggled"));
  auto response = client.read_response();

  EXPECT_EQ(response.status, GetParam().status) << response.head << response.body;
  EXPECT_EQ(response.header("Connection"), "close");
  EXPECT_LT(response.body.size(), 100u);
  EXPECT_TRUE(client.closed());
  EXPECT_EQ(server->counters().requests, 0u);
  EXPECT_EQ(server->counters().rejected, 1u);
}

class RefusesEndless : public ::testing::TestWithParam<Case> {};

TEST_P(RefusesEndless, BeforeTheirEnd) {
  TestServer server(echo);
  auto client = server.connect();
  client.try_send(GetParam().wire);
  auto response = client.read_response();
  EXPECT_EQ(response.status, GetParam().status) << response.body;
  EXPECT_TRUE(client.closed());
}

INSTANTIATE_TEST_SUITE_P(Request, RefusesEndless, ::testing::ValuesIn(kEndless),
                         [](const auto& one) { return one.param.name; });

INSTANTIATE_TEST_SUITE_P(Request, Refuses, ::testing::ValuesIn(kCases),
                         [](const auto& one) { return one.param.name; });

TEST(Refuse, SplitAtEveryByteIsRefusedTheSame) {
  TestServer server(echo);
  std::string wire = with("X-A: 1\r\n 2\r\n");
  for (std::size_t cut = 1; cut < wire.size(); ++cut) {
    auto client = server.connect();
    client.send(wire.substr(0, cut));
    std::this_thread::sleep_for(200us);
    client.try_send(wire.substr(cut));
    ASSERT_EQ(client.read_response().status, 400) << "cut at " << cut;
  }
}

TEST(Refuse, AnswerReachesAClientThatIsStillSending) {
  TestServer server(echo);
  auto client = server.connect();
  std::string big(8 * 1024 * 1024, 'x');
  client.try_send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 8388608\r\n\r\n");
  client.try_send(big);
  EXPECT_EQ(client.read_response().status, 413);
}

TEST(Refuse, OthersAreServedMeanwhile) {
  TestServer server(echo);
  auto good = server.connect();
  for (const auto& c : kCases) {
    auto bad = server.connect();
    bad.try_send(c.wire);
    good.send(get("/"));
    ASSERT_EQ(good.read_response().status, 200) << c.name;
  }
}

// Says what it was handed, and refuses for a reason of its own.
class Chooser final : public Handler {
 public:
  void on_request(Request&& r, std::shared_ptr<Exchange> e) override {
    echo(std::move(r), std::move(e));
  }
  void on_refused(Request&& r, std::shared_ptr<Exchange> e, Cause cause) override {
    const int status = cause == Cause::too_large ? 413 : 503;
    e->reply(r.path() == "/late" ? status : 404, "text/plain",
             std::string(r.method()) + " " + std::to_string(status) + " " +
                 std::to_string(r.body.size()) + std::string(r.header("x-a").value_or("")));
  }
};

TEST(Refuse, ATooLargeBodyIsAHeadForTheHandlerAndTheEndOfTheConnection) {
  Chooser chooser;
  Options options;
  options.limits.body_bytes = 1000;
  auto server = Server::start(options, chooser);
  ASSERT_TRUE(server.is_ok()) << server.message();
  const std::string chunks =
      "Transfer-Encoding: chunked\r\n\r\n3e8\r\n" + std::string(1000, 'x') + "\r\n1\r\n";
  for (const std::string& rest : {std::string("Content-Length: 1001\r\n\r\n"), chunks}) {
    for (const auto& [path, status] : {std::pair("/late", 413), std::pair("/other", 404)}) {
      Client client((*server)->port());
      client.try_send("POST " + std::string(path) + " HTTP/1.1\r\nHost: t\r\nX-A: !\r\n" + rest +
                      get("/smuggled"));
      const auto answer = client.read_response();
      EXPECT_EQ(answer.status, status);
      EXPECT_EQ(answer.body, "POST 413 0!");
      EXPECT_EQ(answer.header("Connection"), "close");
      EXPECT_TRUE(client.closed());
    }
  }
}

// Cheap fuzz: mutations of good and bad requests never hang or break the server.
TEST(Refuse, MutatedRequestsLeaveTheServerServing) {
  TestServer server(echo);
  std::uint32_t seed = 12345;
  auto random = [&](std::size_t n) {
    seed = seed * 1664525u + 1013904223u;
    return static_cast<std::size_t>(seed >> 8) % n;
  };
  for (int round = 0; round < 600; ++round) {
    std::string wire = kCases[random(std::size(kCases))].wire.substr(0, 400);
    if (round % 2 == 0) wire = chunked("5;a=b\r\nhello\r\n0\r\nT: 1\r\n\r\n");
    for (int i = 0; i < 3; ++i) wire[random(wire.size())] = static_cast<char>(random(256));
    auto client = server.connect();
    client.try_send(wire.substr(0, wire.size() / 2));
    client.try_send(wire.substr(wire.size() / 2));
    client.shut_write();
    client.read_all();
  }
  auto client = server.connect();
  client.send(get("/"));
  EXPECT_EQ(client.read_response().status, 200);
  EXPECT_EQ(server->counters().failures, 0u);
}

// What a page that may read refusals sees of one; its Origin is the last or the first field.
const Case kShown[] = {
    {"LengthTwice", 400,
     with("Content-Length: 0\r\nContent-Length: 0\r\nOrigin: https://good.example\r\n")},
    {"Expectation", 417, with("Origin: https://good.example\r\nExpect: miracles\r\n")},
    {"TransferEncoding", 501,
     with("Transfer-Encoding: gzip\r\nORIGIN:\thttps://good.example \r\n")},
    {"MissingHost", 400, "GET / HTTP/1.1\r\nOrigin: https://good.example\r\n\r\n"},
    {"NameNotAToken", 400, with("X(A): 1\r\nOrigin: https://good.example\r\n")},
    {"SameOriginTwice", 417,
     with("Origin: https://good.example\r\nOrigin: https://good.example\r\nExpect: miracles\r\n")},
    {"TooManyHeaders", 431, with(many_headers(100) + "Origin: https://good.example\r\n")},
    {"HeadTooLarge", 431,
     with("Origin: https://good.example\r\nCookie: " + std::string(20'000, 'a') + "\r\n")},
    {"AfterEmptyLines", 417,
     "\r\n\r\n" + with("Origin: https://good.example\r\nExpect: miracles\r\n")},
    {"MalformedChunk", 400,
     "POST / HTTP/1.1\r\nHost: t\r\nOrigin: https://good.example\r\n"
     "Transfer-Encoding: chunked\r\n\r\nx\r\n"},
};

const Case kNotShown[] = {
    {"NoOrigin", 417, with("Expect: miracles\r\n")},
    {"OtherPage", 417, with("Origin: https://evil.example\r\nExpect: miracles\r\n")},
    {"OtherHost", 417,
     "GET / HTTP/1.1\r\nHost: x\r\nOrigin: https://good.example\r\nExpect: miracles\r\n\r\n"},
    {"TwoHosts", 400, with("Host: u\r\nOrigin: https://good.example\r\n")},
    {"TwoOrigins", 417,
     with("Origin: https://good.example\r\nOrigin: https://evil.example\r\nExpect: miracles\r\n")},
    {"ControlInOrigin", 400, with("Origin: https://good.example\x01\r\n")},
    {"Folded", 400, with("Origin: https://good.example\r\n X\r\n")},
    {"BareLf", 400, "GET / HTTP/1.1\r\nHost: t\nOrigin: https://good.example\r\n\r\n"},
    {"UnfinishedLine", 431,
     with("Cookie: " + std::string(20'000, 'a') + "\r\nOrigin: https://good.example\r\n")},
    {"InTheBody", 400, with("Content-Length: x\r\n") + "Origin: https://good.example\r\n\r\n"},
    {"InTheRequestLine", 414,
     "GET /" + std::string(20'000, 'a') + "\r\nOrigin: https://good.example\r\n"},
};

class Refusals : public ::testing::TestWithParam<Case> {
 protected:
  // The answer to the test's bytes.
  Response refused() {
    TestServer server(echo);
    auto client = server.connect();
    client.try_send(GetParam().wire);
    return client.read_response();
  }
};
class ShownRefusal : public Refusals {};
class HiddenRefusal : public Refusals {};

TEST_P(ShownRefusal, NamesThePageThatMayReadIt) {
  const auto response = refused();
  EXPECT_EQ(response.status, GetParam().status) << response.body;
  EXPECT_EQ(response.header("Access-Control-Allow-Origin"), kGoodPage);
  EXPECT_EQ(response.header("Vary"), "Origin");
}

TEST_P(HiddenRefusal, NamesNoPage) {
  const auto response = refused();
  EXPECT_EQ(response.status, GetParam().status) << response.body;
  EXPECT_EQ(response.head.find("Access-Control"), std::string::npos) << response.head;
}

INSTANTIATE_TEST_SUITE_P(Request, ShownRefusal, ::testing::ValuesIn(kShown),
                         [](const auto& one) { return one.param.name; });

INSTANTIATE_TEST_SUITE_P(Request, HiddenRefusal, ::testing::ValuesIn(kNotShown),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace gantry::host::http::testing::refuse_test

// /metrics, and what the endpoint counts.
#include "tests/host/http/endpoint/fixture.hpp"

namespace gantry::host::http::metrics_test {
namespace {

struct MetricsTest : EndpointTest {
  ExchangePtr scrape(Fields fields = {}, std::string_view method = "GET") {
    if (fields.empty() || fields.back().first != "host") fields.emplace_back("host", "localhost:1");
    return send(method, "/metrics", fields);
  }
  // A line of the exposition, without its line end, is there.
  bool shows(const std::string& line) const {
    return ("\n" + world.metrics.text()).find("\n" + line + "\n") != std::string::npos;
  }
  bool shows(const std::string& method, int status, int times) const {
    return shows("gantry_requests_total{method=\"" + method + "\",status=\"" +
                 std::to_string(status) + "\"} " + std::to_string(times));
  }
};

TEST_F(MetricsTest, AreTextForGetAndHeadOnly) {
  start();
  const auto answer = scrape();
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->content_type, "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_NE(answer->body.find("# TYPE gantry_calls_active gauge\n"), std::string::npos);
  EXPECT_EQ(scrape({}, "HEAD")->status, 200);
  for (const auto method : {"POST", "DELETE", "OPTIONS"}) {
    const auto other = scrape({}, method);
    EXPECT_EQ(other->status, 405) << method;
    EXPECT_EQ(other->headers["Allow"], "GET, HEAD");
  }
  EXPECT_EQ(send("GET", "/metrics/", {{"host", "[::1]:1"}})->status, 200);
}

TEST_F(MetricsTest, AreBehindTheSameGuardAsMcp) {
  start({.guard = {.require_header = "X-Team: blue"}});
  EXPECT_EQ(scrape()->status, 403);
  EXPECT_EQ(scrape({{"x-team", "blue"}})->status, 200);
  EXPECT_EQ(scrape({{"x-team", "blue"}, {"host", "evil.example"}})->status, 403);
  EXPECT_EQ(scrape({{"x-team", "blue"}, {"origin", "https://evil.example"}})->status, 403);
  EXPECT_EQ(scrape({{"x-team", "blue"}, {"host", "evil.example"}}, "PUT")->status, 405);
}

// A proxy on this machine carries the requests of others.
TEST_F(MetricsTest, NeedTheProfilesFlagBehindAProxyOfThisMachine) {
  start({.guard = {.allowed_hosts = {"mcp.example"}}});
  protect();
  auto reader = std::make_shared<Agent>();
  reader->name = "reports";
  reader->metrics = true;
  auth.add_key("r3ader", reader);
  const std::pair<std::string, std::string> plain{"x-mcp-api-key", "s3cret"};
  const std::pair<std::string, std::string> flagged{"x-mcp-api-key", "r3ader"};
  EXPECT_EQ(scrape({plain})->status, 200);
  EXPECT_EQ(scrape({plain, {"host", "mcp.example"}})->status, 403);
  EXPECT_EQ(send("GET", "/metrics", {plain})->status, 403) << "without a Host";
  for (const auto name : {"Forwarded", "Via", "X-Forwarded-For", "X-Real-IP"})
    EXPECT_EQ(scrape({plain, {name, "10.0.0.1"}})->status, 403) << name;
  EXPECT_EQ(scrape({flagged, {"host", "mcp.example"}})->status, 200);
  peer = "10.0.0.1";
  EXPECT_EQ(scrape({plain})->status, 403) << "the Host is the client's to choose";
}

TEST_F(MetricsTest, NeedTheCredentialWhereThereIsOne) {
  start();
  protect();
  const auto refused = scrape();
  EXPECT_EQ(refused->status, 401);
  EXPECT_EQ(refused->body,
            R"({"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Unauthorized"}})");
  EXPECT_EQ(refused->headers["WWW-Authenticate"], "Bearer realm=\"gantry\"");
  EXPECT_EQ(scrape({{"authorization", "Bearer s3cret"}})->status, 200);
  EXPECT_EQ(scrape({{"x-mcp-api-key", "s3cret"}})->status, 200);
}

TEST_F(MetricsTest, SharePreAuthLimitWithMcp) {
  start();
  protect();
  for (int i = 0; i < 2; ++i) EXPECT_EQ(scrape({{"x-mcp-api-key", "wrong"}})->status, 401);
  EXPECT_EQ(modern("server/discover")->status, 401);
  EXPECT_EQ(scrape({{"x-mcp-api-key", "s3cret"}})->status, 200);
  const auto slowed = scrape({{"x-mcp-api-key", "wrong"}});
  EXPECT_EQ(slowed->status, 429);
  EXPECT_FALSE(slowed->headers["Retry-After"].empty());
  EXPECT_EQ(send("GET", "/health", {})->status, 200);
  EXPECT_TRUE(shows("gantry_auth_failures_total{reason=\"invalid\"} 2"));
  EXPECT_TRUE(shows("gantry_auth_failures_total{reason=\"missing\"} 1"));
  EXPECT_TRUE(shows("gantry_rate_limited_total{stage=\"pre_auth\"} 1"));
}

TEST_F(MetricsTest, CountAnswersOfMcpByMethodAndStatus) {
  start();
  modern("server/discover");
  modern("server/discover");
  modern("ping");
  modern("made/up");
  post("{");
  send("PUT", "/mcp", {});
  EXPECT_TRUE(shows("server/discover", 200, 2)) << world.metrics.text();
  EXPECT_TRUE(shows("ping", 404, 1));
  EXPECT_TRUE(shows("other", 404, 1));
  EXPECT_TRUE(shows("other", 400, 1));
  EXPECT_TRUE(shows("other", 405, 1));
}

TEST_F(MetricsTest, CountStreamsAndNotificationsButNoScrapes) {
  start();
  const std::string session = open();
  post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", {{"mcp-session-id", session}});
  modern("tools/call", R"("name":"chatty")", {{"mcp-name", "chatty"}, {"accept", "*/*"}});
  send("DELETE", "/mcp", {{"mcp-session-id", session}});
  scrape();
  scrape({{"host", "evil.example"}});
  send("GET", "/health", {});
  EXPECT_TRUE(shows("initialize", 200, 1)) << world.metrics.text();
  EXPECT_TRUE(shows("notifications/initialized", 202, 1));
  EXPECT_TRUE(shows("tools/call", 200, 1));
  const std::string text = world.metrics.text();
  EXPECT_EQ(text.find("status=\"204\""), std::string::npos) << text;
  EXPECT_EQ(text.find("method=\"other\""), std::string::npos) << text;
}

}  // namespace
}  // namespace gantry::host::http::metrics_test

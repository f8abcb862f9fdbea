// The console's routes and its cookie, without a socket.
#include "host/http/endpoint/console.hpp"

#include "host/console/files.hpp"
#include "host/http/endpoint/admin.hpp"
#include "tests/host/http/endpoint/fixture.hpp"
#include "tests/host/rpc/admin/fake.hpp"

namespace gantry::host::http {
namespace {

struct ConsoleTest : EndpointTest {
  void begin() {
    start();
    console.set_port(1234);
    endpoint->serve(admin);
    endpoint->serve(console);
  }
  static Fields ours(const std::string& cookie = "") {
    Fields fields{{"host", "127.0.0.1:1234"},
                  {"origin", "http://127.0.0.1:1234"},
                  {"sec-fetch-site", "same-origin"},
                  {"content-type", "application/json"}};
    if (!cookie.empty()) fields.emplace_back("cookie", cookie);
    return fields;
  }
  ExchangePtr log_in(const std::string& body, const Fields& fields = ours()) {
    return send("POST", "/console/login", fields, body);
  }
  std::string cookie() {
    const auto answer = log_in(R"({"token":")" + logins.make_link() + "\"}");
    EXPECT_EQ(answer->status, 204) << answer->body;
    const std::string set = answer->headers["Set-Cookie"];
    return set.substr(0, set.find(';'));
  }
  ExchangePtr plugins_of(const Fields& fields) { return send("GET", "/admin/plugins", fields); }

  console::Logins logins{clock};
  FakePlugins plugins;
  rpc::AdminCommands commands{plugins, world.log, {"1.2.3", "http://h"}};
  Admin admin{commands};
  Console console{logins, auth, pre_auth, world.log};
};

TEST_F(ConsoleTest, ServesTheCompiledFiles) {
  begin();
  const auto page = send("GET", "/", {{"host", "127.0.0.1:1234"}});
  EXPECT_EQ(page->status, 200);
  EXPECT_EQ(page->body, console::find_file("/")->bytes);
  EXPECT_EQ(page->headers.count("Access-Control-Allow-Origin"), 0u);
  EXPECT_EQ(send("GET", "/", {{"if-none-match", page->headers["ETag"]}})->status, 304);
  EXPECT_EQ(send("GET", "/console/none", {})->status, 404);
  EXPECT_EQ(send("GET", "/other", {})->status, 404);
  EXPECT_EQ(send("GET", "/", {{"host", "evil.example"}})->status, 403);
}

TEST_F(ConsoleTest, TheCookieOpensTheAdminsApi) {
  begin();
  const auto with = plugins_of(ours(cookie()));
  EXPECT_EQ(with->status, 200) << with->body;
  EXPECT_EQ(with->headers.count("Access-Control-Allow-Origin"), 0u);
  EXPECT_EQ(with->headers["Cache-Control"], "no-store");
  EXPECT_EQ(plugins_of(ours())->status, 404) << "no agent is an admin";
  EXPECT_EQ(plugins_of(ours("gantry_console_1234=made-up"))->status, 401);
  EXPECT_EQ(plugins_of(ours("gantry_console_1=" + cookie().substr(20)))->status, 404);
}

TEST_F(ConsoleTest, ACredentialInAHeaderIsJudgedAlone) {
  begin();
  auto fields = ours(cookie());
  fields.emplace_back("authorization", "Bearer wrong");
  EXPECT_EQ(plugins_of(fields)->status, 404) << "no agent is an admin";
}

TEST_F(ConsoleTest, RequestsOfOtherPagesAreRefused) {
  begin();
  const std::string good = cookie();
  struct Row {
    const char *name, *value;
  };
  for (const Row& row : {Row{"origin", "http://127.0.0.1:1235"}, Row{"origin", "null"},
                         Row{"origin", "http://localhost:1234"}, Row{"origin", "http://evil"},
                         Row{"sec-fetch-site", "same-site"}, Row{"sec-fetch-site", "cross-site"},
                         Row{"sec-fetch-site", "none"}, Row{"host", "evil.example"},
                         Row{"content-type", "text/plain"}}) {
    auto fields = ours(good);
    for (auto& [name, value] : fields) {
      if (name == row.name) value = row.value;
    }
    EXPECT_EQ(send("POST", "/admin/rpc", fields, R"({"jsonrpc":"2.0","id":1,"method":"host.info"})")
                  ->status,
              403)
        << row.name << row.value;
    EXPECT_EQ(log_in("{}", fields)->status, 403) << row.name << row.value;
    EXPECT_EQ(send("POST", "/console/logout", fields, "{}")->status, 403) << row.name << row.value;
  }
  EXPECT_EQ(plugins_of(ours(good))->status, 200) << "nothing logged it out";
}

TEST_F(ConsoleTest, ARequestWithTwoValuesOfOneHeaderIsRefused) {
  begin();
  auto fields = ours(cookie());
  fields.emplace_back("mcp-protocol-version", "2026-07-28");
  EXPECT_EQ(plugins_of(fields)->status, 200);
  fields.emplace_back("mcp-protocol-version", "2025-06-18");
  EXPECT_EQ(plugins_of(fields)->status, 400);
}

TEST_F(ConsoleTest, LoginAndLogoutPassTheGateChain) {
  begin();
  for (const std::string path : {"/console/login", "/console/logout"}) {
    const auto read = send("GET", path, ours());
    EXPECT_EQ(read->status, 405);
    EXPECT_EQ(read->headers["Allow"], "POST");
    EXPECT_EQ(read->headers.count("Access-Control-Allow-Origin"), 0u);
    EXPECT_EQ(send("POST", path, ours(), "", Cause::too_large)->status, 413);
    EXPECT_EQ(send("POST", path, ours(), "", Cause::busy)->status, 503);
    EXPECT_NE(send("POST", path, ours(), "{}", Cause::stopping)->status, 503);
    auto twice = ours();
    twice.emplace_back("x-mcp-api-key", "a");
    twice.emplace_back("x-mcp-api-key", "b");
    EXPECT_EQ(send("POST", path, twice, "{}")->status, 400);
  }
}

TEST_F(ConsoleTest, WrongLinksAreCountedAndThenRefusedUnread) {
  begin();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(log_in(R"({"token":"x"})")->status, 401);
  const auto blocked = log_in(R"({"token":")" + logins.make_link() + "\"}");
  EXPECT_EQ(blocked->status, 429);
  EXPECT_NE(blocked->headers["Retry-After"], "");
}

TEST_F(ConsoleTest, OnlyAnAdminsKeyLogsIn) {
  auto boss = std::make_shared<Agent>();
  boss->tier = Tier::admin;
  auth.add_key("boss", boss);
  protect();
  begin();
  EXPECT_EQ(log_in(R"({"key":"s3cret"})")->status, 403);
  EXPECT_EQ(log_in(R"({"key":"wrong"})")->status, 401);
  EXPECT_EQ(log_in(R"({"key":"boss"})")->status, 204);
  EXPECT_EQ(log_in(R"({"key":1})")->status, 400);
}

TEST_F(ConsoleTest, LogoutEndsTheSession) {
  begin();
  const std::string mine = cookie();
  const auto out = send("POST", "/console/logout", ours(mine), "{}");
  EXPECT_EQ(out->status, 204);
  EXPECT_NE(out->headers["Set-Cookie"].find("Max-Age=0"), std::string::npos);
  EXPECT_EQ(plugins_of(ours(mine))->status, 401);
}

}  // namespace
}  // namespace gantry::host::http

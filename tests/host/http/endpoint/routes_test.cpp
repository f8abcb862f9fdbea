// The route table: every route passes the same checks.
#include "host/http/endpoint/admin.hpp"
#include "tests/host/http/endpoint/fixture.hpp"
#include "tests/host/rpc/admin/fake.hpp"

namespace gantry::host::http {
namespace {

// An endpoint with every route, where requests without a credential act as the agent `local`.
struct RoutesTest : EndpointTest {
  RoutesTest() {
    auto agent = std::make_shared<Agent>();
    agent->name = "boss";
    agent->tier = Tier::admin;
    auth.add_key("boss", agent, Authenticator::Others::local);
    start();
    endpoint->serve(admin);
  }
  static std::string path_of(const Route& route) {
    return std::string(route.path) + (route.path.ends_with('/') ? "plugins" : "");
  }
  static Fields fields(Fields more = {}) {
    Fields out = {{"content-type", "application/json"},
                  {"host", "127.0.0.1:1"},
                  {"authorization", "Bearer boss"}};
    for (auto& one : more) {
      std::erase_if(out, [&](const auto& known) { return known.first == one.first; });
    }
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }
  // A request with the first method of the route.
  ExchangePtr get(const Route& route, const Fields& with, Cause cause = Cause::none) {
    return send(std::string(route.methods.substr(0, route.methods.find(','))), path_of(route), with,
                route.counted ? R"({"jsonrpc":"2.0","id":1,"method":"ping"})" : "", cause);
  }
  std::vector<Route> checked() const {
    std::vector<Route> out = endpoint->routes();
    std::erase_if(out, [](const Route& route) { return route.access == Route::Access::open; });
    return out;
  }

  FakePlugins plugins;
  rpc::AdminCommands commands{plugins, world.log, {"1", "http://h"}};
  Admin admin{commands};
};

TEST_F(RoutesTest, AreAllKnownToTheTests) {
  std::string paths;
  for (const Route& route : endpoint->routes()) paths.append(route.path).append(" ");
  EXPECT_EQ(paths,
            "/mcp /sse /messages /metrics /exports/ /health /.well-known/oauth-protected-resource "
            "/.well-known/oauth-protected-resource/mcp /admin/ ");
  EXPECT_EQ(checked().size(), 6u)
      << "health and the metadata for clients without a credential alone are exempt";
}

TEST_F(RoutesTest, RefuseAMethodThatIsNotTheirs) {
  for (const Route& route : endpoint->routes()) {
    for (const std::string method : {"PATCH", "OPTIONS", "GE", "ET", ", "}) {
      if (method == "OPTIONS" && route.methods.ends_with(method)) continue;
      const auto answer = send(method, path_of(route), {{"host", "evil.example"}});
      EXPECT_EQ(answer->status, 405) << route.path << " " << method;
      EXPECT_EQ(answer->headers["Allow"], route.methods) << route.path;
    }
  }
}

TEST_F(RoutesTest, RefuseAHostThatIsNotOurs) {
  for (const Route& route : checked()) {
    const auto answer = get(route, fields({{"host", "evil.example"}}));
    EXPECT_EQ(answer->status, 403) << route.path;
    EXPECT_NE(answer->body.find("Host not allowed"), std::string::npos) << answer->body;
  }
}

TEST_F(RoutesTest, RefuseAForeignOriginWithoutDetails) {
  for (const Route& route : checked()) {
    const auto answer = get(route, fields({{"origin", "https://evil.example"}}));
    EXPECT_EQ(answer->status, 403) << route.path;
    EXPECT_EQ(answer->headers.count("Access-Control-Allow-Origin"), 0u) << route.path;
    if (!route.preflights) continue;
    const Fields page = {{"host", "127.0.0.1:1"}, {"origin", "https://evil.example"}};
    EXPECT_EQ(send("OPTIONS", path_of(route), page)->status, 403) << route.path;
  }
}

TEST_F(RoutesTest, LetOurPagesReadEveryAnswer) {
  const std::string page = "http://localhost:6274";
  for (const Route& route : endpoint->routes()) {
    const auto wrong_method = send("PATCH", path_of(route), fields({{"origin", page}}));
    EXPECT_EQ(wrong_method->headers["Access-Control-Allow-Origin"], page) << route.path;
    const auto answer = get(route, fields({{"origin", page}}));
    EXPECT_EQ(answer->headers["Access-Control-Allow-Origin"], page) << route.path;
  }
}

TEST_F(RoutesTest, RefuseHeadersThatContradictThemselves) {
  for (const Route& route : checked()) {
    for (const auto name : {"authorization", "mcp-session-id", "x-mcp-api-key"}) {
      Fields twice = fields();
      twice.emplace_back(name, "Bearer boss");
      twice.emplace_back(name, "Bearer other");
      const auto answer = get(route, twice);
      EXPECT_EQ(answer->status, 400) << route.path << " " << name;
      EXPECT_EQ(code(answer), rpc::kHeaderMismatch) << route.path << " " << name;
    }
  }
}

TEST_F(RoutesTest, RefuseABadCredential) {
  PreAuthLimit wide(clock, 100);
  endpoint = std::make_unique<Endpoint>(world.dispatcher, auth, sessions, wide, world.log,
                                        world.metrics, EndpointOptions{});
  endpoint->serve(admin);
  for (const Route& route : checked()) {
    const auto answer =
        get(route, fields({{"authorization", "Bearer wrong"}, {"accept", "text/event-stream"}}));
    EXPECT_EQ(answer->status, 401) << route.path;
    EXPECT_EQ(answer->headers.count("WWW-Authenticate"), 1u) << route.path;
  }
}

TEST_F(RoutesTest, SlowDownAPeerWithoutAGoodCredential) {
  const Fields wrong = fields({{"authorization", "Bearer wrong"}, {"accept", "*/*"}});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(get(checked().front(), wrong)->status, 401);
  for (const Route& route : checked()) {
    EXPECT_EQ(get(route, wrong)->status, 429) << route.path;
    EXPECT_NE(get(route, fields())->status, 429) << route.path;
  }
}

TEST_F(RoutesTest, AnswerTheServersRefusalsWithTheirStatus) {
  for (const Route& route : checked()) {
    EXPECT_EQ(get(route, fields(), Cause::too_large)->status, 413) << route.path;
    EXPECT_EQ(get(route, fields(), Cause::busy)->status, 503) << route.path;
    EXPECT_EQ(get(route, fields(), Cause::stopping)->status, 503) << route.path;
  }
}

TEST_F(RoutesTest, CheckInOneOrder) {
  endpoint = std::make_unique<Endpoint>(world.dispatcher, auth, sessions, pre_auth, world.log,
                                        world.metrics,
                                        EndpointOptions{.guard = {.require_header = "X-Team"}});
  endpoint->serve(admin);
  for (const Route& route : checked()) {
    Fields wrong = fields({{"host", "evil.example"}, {"authorization", "Bearer wrong"}});
    wrong.emplace_back("authorization", "Bearer other");
    EXPECT_EQ(send("PATCH", path_of(route), wrong, "", Cause::too_large)->status, 405);
    EXPECT_EQ(get(route, wrong, Cause::too_large)->status, 403) << route.path;
    wrong.erase(std::find_if(wrong.begin(), wrong.end(),
                             [](const auto& field) { return field.first == "host"; }));
    const auto required = get(route, wrong, Cause::too_large);
    EXPECT_EQ(required->status, 403) << route.path;
    EXPECT_NE(required->body.find("required header"), std::string::npos) << required->body;
    wrong.emplace_back("x-team", "any");
    EXPECT_EQ(get(route, wrong, Cause::too_large)->status, 413) << route.path;
    EXPECT_EQ(get(route, wrong)->status, 400) << route.path;
  }
}

}  // namespace
}  // namespace gantry::host::http

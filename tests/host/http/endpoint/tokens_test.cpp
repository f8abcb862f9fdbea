// Tokens at the endpoint: challenges, the metadata of the resource, scopes, and requests that wait
// for keys.
#include "tests/host/http/endpoint/fixture.hpp"

namespace gantry::host::http {
namespace {

// Accepts the tokens that a test gives.
struct FakeTokens final : TokenCheck {
  bool is_configured() const override { return configured; }
  std::vector<AgentPtr> agents() const override { return {}; }
  std::shared_ptr<const IssuerSummary> summary() const override {
    return std::make_shared<const IssuerSummary>(IssuerSummary{
        {"https://id.example"}, {"data.read", "data.write", "offline_access"}, {"data.read"}});
  }
  CheckedToken check(std::string_view token) override {
    if (on_check) on_check();
    const auto found = answers.find(token);
    return found == answers.end() ? CheckedToken{nullptr, "invalid"} : found->second;
  }
  bool needs_signature(std::string_view token) override { return token != remembered; }
  bool when_checkable(const std::string& waits_for, std::function<void()> ready) override {
    asked_for = waits_for;
    if (full) return false;
    waiting.push_back(std::move(ready));
    return true;
  }
  void stop_waiting() override { waiting.clear(); }
  std::uint64_t changes() const override { return changed; }
  bool leads_to(std::string_view principal) const override { return principal != withdrawn; }

  bool configured = true, full = false;
  std::uint64_t changed = 0;
  std::string withdrawn, remembered;
  std::function<void()> on_check;
  std::map<std::string, CheckedToken, std::less<>> answers;
  std::vector<std::function<void()>> waiting;
  std::string asked_for;
};

CheckedToken accepted(Tier tier, Tier most) {
  TokenGrant grant;
  grant.scopes = {"data.read"};
  grant.configured = {{"data.read", Tier::readonly}, {"data.write", Tier::write}};
  grant.most = most;
  Agent agent;
  agent.tier = tier;
  return {make_principal(agent, "sales:jwt:1", "jwt", std::make_shared<const TokenGrant>(grant))};
}

ItemSpec tool_of(std::string name, Tier tier) {
  ItemSpec out = rpc::tool(std::move(name));
  out.tier = tier;
  return out;
}

struct TokensEndpointTest : EndpointTest {
  TokensEndpointTest() {
    auth.use_tokens(tokens);
    tokens.answers["a.b.c"] = accepted(Tier::readonly, Tier::write);
    tokens.answers["old.b.c"] = {nullptr, "expired"};
    tokens.answers["wait.b.c"] = {nullptr, "unavailable", nullptr, "https://id.example/jwks"};
    tokens.answers["down.b.c"] = {nullptr, "unavailable"};
    tokens.answers["poor.b.c"] = {nullptr, "no_scope",
                                  accepted(Tier::readonly, Tier::write).principal->token};
  }
  ~TokensEndpointTest() override {
    sessions.end_all();
    endpoint.reset();
  }

  void begin(EndpointOptions options = {}) {
    world.publish({rpc::tool("t"), tool_of("writes", Tier::write), tool_of("rules", Tier::admin)});
    start(std::move(options));
  }
  ExchangePtr call(const std::string& token, const std::string& tool = "t") {
    return modern("tools/call", R"("name":")" + tool + R"(","arguments":{})",
                  {{"authorization", "Bearer " + token}, {"mcp-name", tool}});
  }
  static std::string challenge(const ExchangePtr& answer) {
    return answer->headers["WWW-Authenticate"];
  }

  FakeTokens tokens;
};

constexpr const char* kUnauthorized =
    R"({"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Unauthorized"}})";
constexpr const char* kWhere =
    R"(resource_metadata="http://127.0.0.1:1/.well-known/oauth-protected-resource/mcp")";

TEST_F(TokensEndpointTest, ServesAGoodTokenAndNothingWithoutOne) {
  begin();
  EXPECT_EQ(call("a.b.c")->status, 200);
  const auto none = modern("tools/list");
  EXPECT_EQ(none->status, 401);
  EXPECT_EQ(none->body, kUnauthorized);
  EXPECT_EQ(challenge(none),
            "Bearer realm=\"gantry\", " + std::string(kWhere) + ", scope=\"data.read\"");
  EXPECT_TRUE(auth.is_configured());
  EXPECT_TRUE(auth.refuses_others());
}

TEST_F(TokensEndpointTest, AnswersEveryBadTokenAlike) {
  begin();
  connection = 1;
  for (const std::string token : {"old.b.c", "x.y.z", "..", "a.b.c.d", "a.b", "A.b.c"}) {
    peer = "10.0.0." + std::to_string(connection++);
    const auto answer = call(token);
    EXPECT_EQ(answer->status, 401) << token;
    EXPECT_EQ(answer->body, kUnauthorized) << token;
    EXPECT_EQ(challenge(answer), "Bearer realm=\"gantry\", " + std::string(kWhere) +
                                     ", scope=\"data.read\", error=\"invalid_token\"")
        << token;
  }
}

TEST_F(TokensEndpointTest, LimitsThoseWithoutAGoodToken) {
  begin();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(call("x.y.z")->status, 401);
  EXPECT_EQ(call("x.y.z")->status, 429);
  EXPECT_EQ(call("a.b.c")->status, 200);
}

TEST_F(TokensEndpointTest, AFloodOfTokensFromABlockedAddressCostsFewSignatures) {
  begin();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(call("x.y.z")->status, 401);
  std::uint32_t checks = 0;
  tokens.on_check = [&checks] { ++checks; };
  for (std::uint32_t i = 0; i < 2 * PreAuthLimit::kMostSignatures; ++i) {
    EXPECT_EQ(call("x.y.z")->status, 429);
  }
  EXPECT_EQ(checks, PreAuthLimit::kMostSignatures);
  EXPECT_EQ(call("a.b.c")->status, 429) << "a new token of this address waits";
  tokens.remembered = "a.b.c";
  EXPECT_EQ(call("a.b.c")->status, 200);
  peer = "10.0.0.9";
  tokens.remembered = "";
  EXPECT_EQ(call("a.b.c")->status, 200) << "another address";
}

TEST_F(TokensEndpointTest, ATokenIsNoKeyAndAKeyNoToken) {
  auth.add_key("k.e.y", share(Agent()));
  auth.add_key("key", share(Agent()));
  tokens.answers["key"] = accepted(Tier::readonly, Tier::readonly);
  begin();
  EXPECT_EQ(call("k.e.y")->status, 401);
  EXPECT_EQ(call("key")->status, 200);
  EXPECT_EQ(modern("tools/list", "", {{"x-mcp-api-key", "a.b.c"}})->status, 401);
  tokens.configured = false;
  EXPECT_EQ(call("k.e.y")->status, 200);
}

TEST_F(TokensEndpointTest, EndsACallThatBeginsWhileItsPrincipalIsWithdrawn) {
  world.publish({rpc::tool("slow")});
  start({});
  EXPECT_FALSE(call("a.b.c", "slow")->answered);
  tokens.on_check = [this] {
    ++tokens.changed;
    tokens.withdrawn = tokens.answers["a.b.c"].principal->name;
  };
  const auto ended = call("a.b.c", "slow");
  EXPECT_EQ(ended->status, 200);
  EXPECT_NE(ended->body.find("Cancelled by client"), std::string::npos) << ended->body;
}

TEST_F(TokensEndpointTest, IsNotReadElsewhere) {
  begin();
  EXPECT_EQ(send("POST", "/mcp?access_token=a.b.c", {{"content-type", "application/json"}},
                 R"({"jsonrpc":"2.0","id":1,"method":"ping"})")
                ->status,
            401);
  EXPECT_EQ(modern("tools/list", "", {{"cookie", "access_token=a.b.c"}})->status, 401);
  EXPECT_EQ(modern("tools/list", "",
                   {{"authorization", "Bearer a.b.c"}, {"authorization", "Bearer x.y.z"}})
                ->status,
            400);
}

TEST_F(TokensEndpointTest, SaysWhichScopesACallNeeds) {
  begin();
  const auto writes = call("a.b.c", "writes");
  EXPECT_EQ(writes->status, 403);
  EXPECT_EQ(json(writes->body)["id"].GetInt(), 1);
  EXPECT_EQ(challenge(writes),
            "Bearer realm=\"gantry\", " + std::string(kWhere) +
                ", scope=\"data.read data.write\", error=\"insufficient_scope\"");
  // No scope permits these: the tool's own answer.
  EXPECT_EQ(call("a.b.c", "rules")->status, 200);
  EXPECT_EQ(call("a.b.c", "absent")->status, 200);
  tokens.answers["a.b.c"] = accepted(Tier::readonly, Tier::readonly);
  EXPECT_EQ(call("a.b.c", "writes")->status, 200);
  const auto poor = call("poor.b.c");
  EXPECT_EQ(poor->status, 403);
  EXPECT_NE(challenge(poor).find("error=\"insufficient_scope\""), std::string::npos);
}

TEST_F(TokensEndpointTest, IsNoAccessWhenATokenCannotBeChecked) {
  begin();
  const auto down = call("down.b.c");
  EXPECT_EQ(down->status, 500);
  EXPECT_EQ(code(down), -32603);
  EXPECT_EQ(challenge(down), "");
}

TEST_F(TokensEndpointTest, WaitsForKeysOnceWithoutAnAnswer) {
  begin();
  const auto waits = call("wait.b.c");
  EXPECT_FALSE(waits->answered);
  EXPECT_EQ(tokens.asked_for, "https://id.example/jwks");
  ASSERT_EQ(tokens.waiting.size(), 1u);
  tokens.answers["wait.b.c"] = accepted(Tier::readonly, Tier::write);
  tokens.waiting[0]();
  EXPECT_EQ(waits->status, 200);

  tokens.answers["wait.b.c"] = {nullptr, "unavailable", nullptr, "https://id.example/jwks"};
  const auto again = call("wait.b.c");
  ASSERT_EQ(tokens.waiting.size(), 2u);
  tokens.waiting[1]();
  EXPECT_EQ(again->status, 500);
  EXPECT_EQ(tokens.waiting.size(), 2u);

  tokens.full = true;
  EXPECT_EQ(call("wait.b.c")->status, 500);
}

TEST_F(TokensEndpointTest, DropsARequestWhoseClientHasGone) {
  begin();
  const auto waits = call("wait.b.c");
  waits->answered = true;
  waits->status = -1;
  tokens.waiting[0]();
  EXPECT_EQ(waits->status, -1);
  call("wait.b.c");
  EXPECT_EQ(tokens.waiting.size(), 2u);
  endpoint.reset();
  EXPECT_TRUE(tokens.waiting.empty());
}

// A token that is over at once.
CheckedToken over() {
  const auto good = accepted(Tier::readonly, Tier::write);
  TokenGrant grant = *good.principal->token;
  grant.accepted_until = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  return {make_principal(*good.principal->agent, "sales:jwt:1", "jwt",
                         std::make_shared<const TokenGrant>(grant))};
}

bool ends(const ExchangePtr& stream) {
  for (int i = 0; i < 500 && !stream->closed; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return stream->closed;
}

TEST_F(TokensEndpointTest, EndsAListeningStreamWhenItsTokenIsOver) {
  auto lasting = accepted(Tier::readonly, Tier::write);
  TokenGrant grant = *lasting.principal->token;
  grant.accepted_until =
      std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()) +
      std::chrono::hours(1);
  lasting.principal = make_principal(*lasting.principal->agent, "sales:jwt:1", "jwt",
                                     std::make_shared<const TokenGrant>(grant));
  tokens.answers["a.b.c"] = lasting;
  tokens.answers["over.b.c"] = over();
  begin();
  const Fields bearer{{"authorization", "Bearer over.b.c"}};
  const std::string session = open("2025-11-25", bearer);
  const auto listens = [&](const std::string& token) {
    return send("GET", "/mcp",
                {{"authorization", "Bearer " + token},
                 {"host", "127.0.0.1:1"},
                 {"accept", "text/event-stream"},
                 {"mcp-session-id", session}});
  };
  const auto ended = listens("over.b.c");
  EXPECT_EQ(ended->status, 200);
  EXPECT_TRUE(ends(ended));
  const auto stays = listens("a.b.c");
  EXPECT_EQ(stays->status, 200);
  const std::string wanted = R"("notifications":{"toolsListChanged":true})";
  const auto modern_ended = modern("subscriptions/listen", wanted, bearer);
  EXPECT_EQ(modern_ended->status, 200) << modern_ended->body;
  EXPECT_TRUE(ends(modern_ended));
  const auto modern_stays =
      modern("subscriptions/listen", wanted, {{"authorization", "Bearer a.b.c"}});
  EXPECT_TRUE(modern_stays->streaming);
  EXPECT_FALSE(stays->closed);
  EXPECT_FALSE(modern_stays->closed);
  modern_stays->gone();
}

TEST_F(TokensEndpointTest, DescribesTheResourceToEveryPage) {
  begin();
  for (const std::string path :
       {"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"}) {
    for (const std::string method : {"GET", "HEAD"}) {
      const auto answer = send(method, path, {{"host", "LocalHost:9"}, {"origin", "https://x.y"}});
      EXPECT_EQ(answer->status, 200);
      EXPECT_EQ(answer->headers["Access-Control-Allow-Origin"], "*");
      EXPECT_EQ(answer->headers["Cache-Control"], "max-age=3600");
      EXPECT_EQ(answer->content_type, "application/json");
      EXPECT_EQ(
          answer->body,
          R"({"resource":"http://localhost:9/mcp","authorization_servers":["https://id.example"],)"
          R"("scopes_supported":["data.read","data.write"],"bearer_methods_supported":["header"],)"
          R"("resource_name":"Gantry"})");
    }
    const auto preflight = send("OPTIONS", path, {{"host", "localhost:9"}});
    EXPECT_EQ(preflight->status, 204);
    EXPECT_EQ(preflight->headers["Access-Control-Allow-Origin"], "*");
    EXPECT_NE(preflight->headers["Access-Control-Allow-Headers"].find("MCP-Protocol-Version"),
              std::string::npos);
    EXPECT_EQ(send("POST", path, {{"host", "localhost:9"}})->status, 405);
    tokens.configured = false;
    EXPECT_EQ(send("GET", path, {{"host", "localhost:9"}})->status, 404);
    tokens.configured = true;
  }
}

TEST_F(TokensEndpointTest, NamesTheResourceWhereTheClientReachedItAndNowhereElse) {
  EndpointOptions options;
  options.guard.allowed_hosts = {"mcp.example"};
  options.guard.loopback = false;
  begin(options);
  const auto resource = [&](const std::string& host) {
    const auto answer = send("GET", "/.well-known/oauth-protected-resource", {{"host", host}});
    return answer->status == 200 ? std::string(json(answer->body)["resource"].GetString()) : "";
  };
  EXPECT_EQ(resource("[::1]:8"), "http://[::1]:8/mcp");
  EXPECT_EQ(resource("MCP.example"), "https://mcp.example/mcp");
  EXPECT_EQ(resource("mcp.example:8443"), "https://mcp.example:8443/mcp");
  EXPECT_EQ(resource("192.0.2.7"), "");
  EXPECT_EQ(resource("evil.example"), "");
  EXPECT_EQ(resource("x\"y"), "");
  const auto literal =
      send("POST", "/mcp", {{"host", "192.0.2.7"}, {"content-type", "application/json"}},
           R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  EXPECT_EQ(challenge(literal), "Bearer realm=\"gantry\", scope=\"data.read\"");
  options.public_url = "https://public.example/team/mcp";
  begin(options);
  EXPECT_EQ(resource("192.0.2.7"), "https://public.example/team/mcp");
  EXPECT_EQ(resource("mcp.example"), "https://public.example/team/mcp");
  EXPECT_EQ(resource("localhost"), "http://localhost/mcp");
  EXPECT_EQ(resource("evil.example"), "");
}

}  // namespace
}  // namespace gantry::host::http

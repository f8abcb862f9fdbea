// /admin: for admins alone; no other client learns even a plugin's name.
#include "host/http/endpoint/admin.hpp"

#include <atomic>
#include <future>

#include "tests/host/http/endpoint/fixture.hpp"
#include "tests/host/rpc/admin/fake.hpp"

namespace gantry::host::http {
namespace {

struct Awaited final : FakeExchange {
  bool reply(int s, std::string_view type, Bytes b, Headers extra) override {
    const bool first = FakeExchange::reply(s, type, std::move(b), extra);
    if (first) done.set_value();
    return first;
  }
  std::promise<void> done;
};

struct AdminTest : EndpointTest {
  void add(const char* key, Tier tier, Authenticator::Others others) {
    auto agent = std::make_shared<Agent>();
    agent->name = key;
    agent->tier = tier;
    auth.add_key(key, agent, others);
  }
  void begin(EndpointOptions options = {}) {
    add("boss", Tier::admin, Authenticator::Others::local);
    start(options);
    endpoint->serve(*admin);
  }
  ExchangePtr get(std::string_view path, std::string key = "boss",
                  std::string_view method = "GET") {
    Fields fields;
    if (!key.empty()) fields.emplace_back("authorization", "Bearer " + key);
    return send(method, path, fields);
  }
  // Waits for the answer, which may come from another thread.
  ExchangePtr change(std::string_view path, std::string body = "{}") {
    Request request;
    request.set_start("POST", path, 1);
    for (const auto& [name, value] : json_by("boss")) request.add_header(name, value);
    request.body = std::move(body);
    request.peer = "127.0.0.1";
    auto exchange = std::make_shared<Awaited>();
    endpoint->on_request(std::move(request), exchange);
    exchange->done.get_future().wait();
    return exchange;
  }
  static Fields json_by(const std::string& key) {
    return {{"content-type", "application/json"}, {"x-mcp-api-key", key}};
  }

  FakePlugins plugins;
  rpc::AdminCommands commands{plugins, world.log, {"1.2.3", "http://h"}};
  std::unique_ptr<Admin> admin = std::make_unique<Admin>(commands);
};

TEST_F(AdminTest, ShowsPluginsToAnAdmin) {
  begin();
  const auto all = get("/admin/plugins");
  EXPECT_EQ(all->status, 200) << all->body;
  EXPECT_EQ(all->content_type, "application/json");
  EXPECT_STREQ(json(all->body)["plugins"][1]["name"].GetString(), "beta");
  const auto one = get("/admin/plugins/beta");
  EXPECT_EQ(one->status, 200);
  EXPECT_STREQ(json(one->body)["offer"]["tools"][0].GetString(), "t");
  EXPECT_STREQ(json(get("/admin/host")->body)["version"].GetString(), "1.2.3");
  EXPECT_EQ(get("/admin/plugins/gamma")->status, 404);
  EXPECT_EQ(get("/admin/plugins", "boss", "HEAD")->status, 200);
}

TEST_F(AdminTest, DoesNotExistIfNoAgentIsAdmin) {
  protect();
  start();
  endpoint->serve(*admin);
  const auto answer = get("/admin/plugins", "s3cret");
  EXPECT_EQ(answer->status, 404);
  EXPECT_EQ(answer->body, get("/made/up", "s3cret")->body);
}

TEST_F(AdminTest, GivesNoInformationToOtherClients) {
  add("user", Tier::write, Authenticator::Others::local);
  begin();
  for (const auto path : {"/admin/plugins/alpha", "/admin/made/up"}) {
    const auto nobody = get(path, "");
    EXPECT_EQ(nobody->status, 401) << path;
    EXPECT_EQ(nobody->headers["WWW-Authenticate"], "Bearer realm=\"gantry\"");
  }
  for (const auto path : {"/admin/plugins", "/admin/plugins/alpha", "/admin/plugins/gamma",
                          "/admin/host", "/admin/made/up"}) {
    const auto user = get(path, "user");
    EXPECT_EQ(user->status, 403) << path;
    EXPECT_EQ(user->body, get("/admin/plugins", "user")->body);
    EXPECT_EQ(user->body.find("alpha"), std::string::npos);
  }
  const auto post = send("POST", "/admin/plugins/alpha/unload", json_by("user"), "{}");
  EXPECT_EQ(post->status, 403);
  EXPECT_TRUE(plugins.asked().empty());
  EXPECT_EQ(get("/admin/plugins", "wrong")->status, 401);
}

TEST_F(AdminTest, LeavesMcpToThoseWithoutAKey) {
  begin();
  EXPECT_EQ(modern("server/discover")->status, 200);
  EXPECT_EQ(modern("server/discover", "", {{"x-mcp-api-key", "wrong"}})->status, 401);
}

TEST_F(AdminTest, RunsTheCommandOfThePath) {
  begin();
  EXPECT_EQ(change("/admin/plugins", R"({"file":"/p/gamma.so"})")->status, 200);
  for (const auto action : {"unload", "reload", "enable", "disable", "quarantine"}) {
    const auto answer = change("/admin/plugins/alpha/" + std::string(action), "");
    EXPECT_EQ(answer->status, 200) << action << answer->body;
    EXPECT_TRUE(json(answer->body)["plugins"].IsArray());
  }
  EXPECT_EQ(change("/admin/plugins/beta/quarantine", R"({"lift":true})")->status, 200);
  EXPECT_EQ(plugins.asked(), (std::vector<std::string>{
                                 "load /p/gamma.so", "unload alpha", "reload alpha", "enable alpha",
                                 "disable alpha", "quarantine alpha", "lift beta"}));
}

TEST_F(AdminTest, PassesOnWhyNot) {
  begin();
  plugins.next = Status::failed("its self-check failed");
  const auto answer = change("/admin/plugins/alpha/reload");
  EXPECT_EQ(answer->status, 409);
  EXPECT_STREQ(json(answer->body)["error"]["message"].GetString(), "its self-check failed");
}

TEST_F(AdminTest, RefusesUnknownPathsAndBodies) {
  begin();
  EXPECT_EQ(get("/admin/plugins/")->status, 404);
  EXPECT_EQ(get("/admin/other")->status, 404);
  EXPECT_EQ(change("/admin/plugins/alpha/explode")->status, 404);
  EXPECT_EQ(change("/admin/plugins", "{")->status, 400);
  EXPECT_EQ(change("/admin/plugins", "[]")->status, 400);
  EXPECT_EQ(change("/admin/plugins", std::string(100'000, '['))->status, 400);
  EXPECT_EQ(change("/admin/plugins", R"({"file":"rel.so"})")->status, 400);
  EXPECT_EQ(change("/admin/plugins/alpha/unload", R"({"name":"beta"})")->status, 400);
  const auto read_only = change("/admin/plugins/alpha");
  EXPECT_EQ(read_only->status, 405);
  EXPECT_EQ(read_only->headers["Allow"], "GET, HEAD");
  EXPECT_EQ(get("/admin/plugins/alpha/unload")->headers["Allow"], "POST");
  EXPECT_EQ(get("/admin/plugins", "boss", "DELETE")->status, 405);
  EXPECT_TRUE(plugins.asked().empty());
}

TEST_F(AdminTest, IsBehindTheSameGuardAsMcp) {
  begin({.guard = {.require_header = "X-Team: blue"}});
  Fields by = json_by("boss");
  EXPECT_EQ(send("GET", "/admin/plugins", by)->status, 403);
  by.emplace_back("x-team", "blue");
  EXPECT_EQ(send("GET", "/admin/plugins", by)->status, 200);
  Fields page = by, rebound = by, twice = by;
  page.emplace_back("origin", "https://evil.example");
  rebound.emplace_back("host", "evil.example");
  twice.emplace_back("x-mcp-api-key", "other");
  EXPECT_EQ(send("GET", "/admin/plugins", page)->status, 403);
  EXPECT_EQ(send("GET", "/admin/plugins", rebound)->status, 403);
  EXPECT_EQ(send("GET", "/admin/plugins", twice)->status, 400);
  EXPECT_EQ(send("POST", "/admin/plugins/alpha/reload",
                 {{"content-type", "text/plain"}, {"x-mcp-api-key", "boss"}, {"x-team", "blue"}})
                ->status,
            415);
}

TEST_F(AdminTest, CountsWrongKeysBeforeItLooks) {
  begin();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(get("/admin/plugins", "wrong")->status, 401);
  EXPECT_EQ(get("/admin/plugins", "wrong")->status, 429);
  EXPECT_EQ(send("GET", "/admin/plugins", {{"x-team", "blue"}})->status, 429);
  EXPECT_EQ(get("/admin/plugins")->status, 200);
}

TEST_F(AdminTest, BlocksNoOtherRequestWhileAPluginChanges) {
  std::promise<void> inside, go;
  std::atomic<bool> first{true};
  plugins.before = [&] {
    if (!first.exchange(false)) return;
    inside.set_value();
    go.get_future().wait();
  };
  begin();
  const auto slow = send("POST", "/admin/plugins/alpha/reload", json_by("boss"), "{}");
  inside.get_future().wait();
  EXPECT_FALSE(slow->answered);
  EXPECT_EQ(get("/admin/plugins")->status, 200);
  std::vector<ExchangePtr> more;
  for (std::size_t i = 0; i <= Admin::kMaxWaiting; ++i) {
    more.push_back(send("POST", "/admin/plugins/beta/reload", json_by("boss"), "{}"));
  }
  EXPECT_EQ(more.back()->status, 503);
  EXPECT_FALSE(more.front()->answered);
  go.set_value();
  admin.reset();
  EXPECT_EQ(slow->status, 200);
  for (const auto& answer : more) EXPECT_TRUE(answer->answered);
}

}  // namespace
}  // namespace gantry::host::http

// Idle parts do not keep a replaced plugin loaded: kept-alive and listening connections, sessions,
// questions to a client, ended tasks, sleeping threads.
#include <gtest/gtest.h>
#include <unistd.h>

#include <list>

#include "host/http/endpoint/endpoint.hpp"
#include "host/http/server.hpp"
#include "host/observe/log.hpp"
#include "host/registry/announced_lists.hpp"
#include "host/rpc/dispatcher.hpp"
#include "host/stdio/stdio.hpp"
#include "tests/host/calls/harness.hpp"
#include "tests/host/http/client.hpp"

namespace gantry::host {
namespace {

using http::testing::Client;
using http::testing::Response;

constexpr std::string_view kForm = R"({"message":"Who?","requestedSchema":{"type":"object",)"
                                   R"("properties":{"name":{"type":"string"}}}})";

std::string post(const std::string& body, const std::string& headers) {
  return "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Type: application/json\r\n"
         "Accept: application/json, text/event-stream\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n" + headers + "\r\n" + body;
}

std::string modern_body(const std::string& method, const std::string& params, bool tasks) {
  const std::string can =
      tasks ? R"({"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}})" : "{}";
  return R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" + params +
         (params.empty() ? "" : ",") +
         R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
         R"("io.modelcontextprotocol/clientCapabilities":)" +
         can + "}}}";
}

std::string modern(const std::string& method, const std::string& params = "",
                   const std::string& name = "", bool tasks = false) {
  return post(modern_body(method, params, tasks),
              "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " + method + "\r\n" +
                  (name.empty() ? "" : "Mcp-Name: " + name + "\r\n"));
}

std::string legacy(const std::string& session, const std::string& method, const std::string& params,
                   bool is_request = true) {
  const std::string id = is_request ? R"("id":5,)" : "";
  return post(
      R"({"jsonrpc":"2.0",)" + id + R"("method":")" + method + R"(","params":{)" + params + "}}",
      session.empty() ? "" : "Mcp-Session-Id: " + session + "\r\n");
}

class Idle : public CallsTest {
 protected:
  void SetUp() override {
    registry_.on_lists_changed([this](const ListChanges& changes) {
      if (changes.tools) bus_.lists().changed(Event::Kind::tools_listed);
    });
    // The bus outlives this.
    bus_.lists().set_differences([told = std::make_shared<AnnouncedLists>(registry_)](Event::Kind) {
      std::vector<Event::Seen> seen;
      for (auto& item : told->take(AnnouncedLists::List::tools))
        seen.push_back({item.name, item.tier});
      return seen;
    });
    fill(plugin("p"), "1");
    publish();
  }
  void TearDown() override {
    bus_.end();
    sessions_.end_all();
    dispatcher_.stop();
    if (server_) server_->stop();
    CallsTest::TearDown();
  }

  void fill(FakePlugin& p, const std::string& generation) {
    const auto nothing = [](gantry_call* call) { return api().write(call, b("text"), b("done")); };
    p.tool("now_" + generation, nothing);
    p.tool("now", nothing);
    p.tool("asks", [](gantry_call* call) {
      gantry_bytes answer{};
      return input_table().request(call, b("k"), b("elicitation/create"), b(kForm), &answer);
    });
    p.tool("task", [](gantry_call* call) {
      const gantry_status begun = task_table().begin(call);
      return begun == GANTRY_OK ? api().write(call, b("text"), b("done")) : begun;
    });
    p.tool("async", [this](gantry_call* call) {
      std::lock_guard lock(later_mutex_);
      later_.push_back(call);
      return GANTRY_PENDING;
    });
    p.prompt("greet", nothing);
    p.resource("x://a", nothing).subscribe = true;
    p.resource("x://{id}/rows", nothing).lists = true;
    p.list("x://{id}/rows", nothing);
  }
  void serve() {
    http::Options options;
    options.io_threads = 2;
    auto started = http::Server::start(options, endpoint_);
    ASSERT_TRUE(started) << started.message();
    server_ = std::move(started).value();
  }
  Client& client() { return clients_.emplace_back(server_->port()); }
  Response ask(const std::string& bytes) {
    Client& one = client();
    one.send(bytes);
    return one.read_response();
  }

  // All requests have ended and the plugin is replaced: soon only this test holds the old
  // generation, although no further request comes.
  void expect_let_go() {
    std::this_thread::sleep_for(20ms);
    auto old = std::exchange(plugins_, {}).front();
    fill(plugin("p"), "2");
    publish();
    const auto begin = std::chrono::steady_clock::now();
    while (old.use_count() > 1 && std::chrono::steady_clock::now() - begin < 10s) {
      std::this_thread::sleep_for(1ms);
    }
    EXPECT_EQ(old.use_count(), 1);
    retired_.push_back(std::move(old));
  }

  SystemClock clock_;
  Log log_{{.level = Level::off}};
  Authenticator auth_;
  Sessions sessions_{clock_, {}};
  PreAuthLimit pre_auth_{clock_, 600};
  // With a pool of calls_ that outlives them.
  rpc::Dispatcher dispatcher_{registry_, engine(), log_, metrics_, bus_, clock_, {.version = "1"}};
  http::Endpoint endpoint_{dispatcher_, auth_, sessions_, pre_auth_, log_, metrics_, {}};
  std::unique_ptr<http::Server> server_;
  std::list<Client> clients_;  // open until the end
  std::vector<std::shared_ptr<FakePlugin>> retired_;
  std::mutex later_mutex_;
  std::vector<gantry_call*> later_;

 private:
  Calls& engine() {
    if (!calls_) make({});
    return *calls_;
  }
};

TEST_F(Idle, KeptAliveConnectionsReleaseTheSnapshot) {
  serve();
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(ask(modern("tools/list")).status, 200);
    EXPECT_EQ(ask(modern("tools/call", R"("name":"now")", "now")).status, 200);
    EXPECT_EQ(ask(modern("prompts/list")).status, 200);
    EXPECT_EQ(ask(modern("resources/list")).status, 200);
    EXPECT_EQ(ask(modern("resources/templates/list")).status, 200);
    EXPECT_EQ(ask(modern("server/discover")).status, 200);
    EXPECT_GT(ask(modern("prompts/get", R"("name":"greet")", "greet")).status, 0);
    EXPECT_GT(ask(modern("resources/read", R"("uri":"x://a")", "x://a")).status, 0);
    EXPECT_EQ(ask("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n").status, 200);
  }
  expect_let_go();
  expect_let_go();
}

TEST_F(Idle, ListenersReleaseTheSnapshotAndGetTheChange) {
  serve();
  Client& listening = client();
  listening.send(modern("subscriptions/listen", R"("notifications":{"toolsListChanged":true,)"
                                                R"("resourceSubscriptions":["x://a"]})"));
  ASSERT_NE(listening.read_until("subscriptions/acknowledged"), "");
  expect_let_go();
  EXPECT_NE(listening.read_until("tools/list_changed"), "");
  expect_let_go();
}

TEST_F(Idle, SessionsReleaseTheSnapshotAlsoWhileTheyWaitForTheirClient) {
  serve();
  const Response opened =
      ask(legacy("", "initialize",
                 R"("protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},)"
                 R"("clientInfo":{"name":"c","version":"1"})"));
  ASSERT_EQ(opened.status, 200) << opened.body;
  const std::string session = opened.header("Mcp-Session-Id");
  EXPECT_EQ(ask(legacy(session, "notifications/initialized", "", false)).status, 202);
  Client& stream = client();
  stream.send(
      "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:1\r\nAccept: text/event-stream\r\n"
      "Mcp-Session-Id: " +
      session + "\r\n\r\n");
  ASSERT_NE(stream.read_until("200 OK"), "");
  EXPECT_EQ(ask(legacy(session, "tools/list", "")).status, 200);
  EXPECT_EQ(ask(legacy(session, "resources/subscribe", R"("uri":"x://a")")).status, 200);
  Client& asked = client();
  asked.send(legacy(session, "tools/call", R"("name":"asks")"));
  ASSERT_NE(asked.read_until("elicitation/create"), "");
  expect_let_go();
}

TEST_F(Idle, EndedRoundsAndTasksReleaseTheSnapshot) {
  serve();
  EXPECT_EQ(ask(modern("tools/call", R"("name":"task")", "task", true)).status, 200);
  EXPECT_GT(ask(modern("tools/call", R"("name":"asks")", "asks", true)).status, 0);
  expect_let_go();
}

TEST_F(Idle, ACallThatEndsOnAThreadOfThePluginsLetsGo) {
  serve();
  Client& one = client();
  one.send(modern("tools/call", R"("name":"async")", "async"));
  for (bool entered = false; !entered; std::this_thread::sleep_for(1ms)) {
    std::lock_guard lock(later_mutex_);
    entered = !later_.empty();
  }
  std::thread plugins_own([&] {
    EXPECT_EQ(api().finish(later_.front(), GANTRY_OK), GANTRY_OK);
    EXPECT_EQ(one.read_response().status, 200);
    expect_let_go();  // while this thread still lives
  });
  plugins_own.join();
}

TEST_F(Idle, StandardInputThatIsSilentLetsGo) {
  int in[2], out[2], stop[2];
  ASSERT_EQ(pipe(in) + pipe(out) + pipe(stop), 0);
  Refusal refusal;
  Stdio stdio(dispatcher_, *auth_.check({}, refusal), clock_, metrics_,
              {.in = in[0], .out = out[1], .grace = 50ms});
  std::thread serving([&] { stdio.run(stop[0]); });
  const std::string lines = modern_body("tools/list", "", false) + "\n" +
                            modern_body("tools/call", R"("name":"now")", false) + "\n";
  ASSERT_EQ(write(in[1], lines.data(), lines.size()), static_cast<ssize_t>(lines.size()));
  std::string answers;
  for (char byte; std::count(answers.begin(), answers.end(), '\n') < 2;) {
    ASSERT_EQ(read(out[0], &byte, 1), 1);
    answers += byte;
  }
  expect_let_go();
  close(in[1]);
  serving.join();
  for (const int fd : {in[0], out[0], out[1], stop[0], stop[1]}) close(fd);
}

}  // namespace
}  // namespace gantry::host

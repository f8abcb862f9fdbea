// The endpoint over exchanges that only remember what they were given.
#pragma once

#include <atomic>
#include <map>

#include <gtest/gtest.h>

#include "host/http/endpoint/endpoint.hpp"
#include "tests/host/rpc/fake.hpp"

namespace gantry::host::http {

using rpc::json;

// What one exchange was given.
struct FakeExchange : Exchange {
  bool reply(int s, std::string_view type, Bytes b, Headers extra) override {
    if (answered) return false;
    answered = true;
    status = s;
    content_type = type;
    body = b.view();
    keep(extra);
    return true;
  }
  bool open_stream(Headers extra) override {
    if (answered) return false;
    answered = streaming = true;
    status = 200;
    keep(extra);
    return true;
  }
  bool open_body(int s, std::string_view type, std::uint64_t length, Headers extra) override {
    if (answered) return false;
    answered = streaming = true;
    status = s;
    content_type = type;
    promised = length;
    keep(extra);
    return true;
  }
  bool write(Bytes events) override {
    body += events.view();
    return !closed;
  }
  std::size_t backlog() const override { return stuck; }
  void when_drained(std::function<void()> d) override { drained = std::move(d); }
  void when_late(std::function<void()> l) override { late = std::move(l); }
  void close() override { closed = true; }
  void on_disconnect(std::function<void()> g) override { gone = std::move(g); }
  bool is_open() const override { return !answered || (streaming && !closed); }
  void keep(Headers extra) {
    for (const auto& header : extra) headers[std::string(header.name)] = header.value;
  }

  bool answered = false, streaming = false;
  std::atomic<bool> closed{false};  // also by a timer
  int status = 0;
  std::string content_type, body;
  std::map<std::string, std::string> headers;
  std::size_t stuck = 0;
  std::uint64_t promised = 0;  // of open_body()
  std::function<void()> gone, drained, late;
};

using ExchangePtr = std::shared_ptr<FakeExchange>;
using Fields = std::vector<std::pair<std::string, std::string>>;

struct HandClock final : Clock {
  Instant now() const override { return Instant(std::chrono::minutes(100)); }
};

constexpr const char* kEnvelope =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{})";

struct EndpointTest : testing::Test {
  // As a server stops: sessions may hold places of the endpoint's gates.
  ~EndpointTest() override { sessions.end_all(); }

  void start(EndpointOptions options = {}) {
    endpoint = std::make_unique<Endpoint>(world.dispatcher, auth, sessions, pre_auth, world.log,
                                          world.metrics, options);
  }
  void protect() {
    auto agent = std::make_shared<Agent>();
    agent->name = "api_key";
    auth.add_key("s3cret", agent);
  }

  ExchangePtr send(std::string_view method, std::string_view target, const Fields& fields,
                   std::string body = "", Cause refused = Cause::none) {
    Request request;
    request.set_start(method, target, 1);
    for (const auto& [name, value] : fields) request.add_header(name, value);
    request.body = std::move(body);
    request.peer = peer;
    request.connection = connection;
    auto exchange = std::make_shared<FakeExchange>();
    if (refused == Cause::none) endpoint->on_request(std::move(request), exchange);
    if (refused != Cause::none) endpoint->on_refused(std::move(request), exchange, refused);
    return exchange;
  }
  ExchangePtr post(std::string body, Fields fields = {}) {
    fields.emplace_back("content-type", "application/json");
    fields.emplace_back("host", "127.0.0.1:1");
    return send("POST", "/mcp", fields, std::move(body));
  }
  ExchangePtr modern(const std::string& method, const std::string& params = "",
                     Fields fields = {}) {
    fields.emplace_back("mcp-protocol-version", "2026-07-28");
    fields.emplace_back("mcp-method", method);
    return post(R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" + params +
                    (params.empty() ? "" : ",") + kEnvelope + "}}}",
                fields);
  }
  ExchangePtr legacy(const std::string& method, const std::string& session,
                     const std::string& params = "", int id = 1) {
    return post(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method +
                    R"(","params":{)" + params + "}}",
                {{"mcp-session-id", session}});
  }
  std::string open(const std::string& version = "2025-11-25", Fields fields = {}) {
    const auto answer =
        post(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":")" +
                 version + "\"}}",
             fields);
    EXPECT_EQ(answer->status, 200) << answer->body;
    return answer->headers["Mcp-Session-Id"];
  }
  static int code(const ExchangePtr& answer) {
    return json(answer->body)["error"]["code"].GetInt();
  }

  rpc::World world{{rpc::tool("t"), rpc::tool("slow"), rpc::tool("chatty")}};
  HandClock clock;
  Authenticator auth;
  Sessions sessions{clock, {}};
  PreAuthLimit pre_auth{clock, 3};
  std::unique_ptr<Endpoint> endpoint;
  std::uint64_t connection = 1;  // that requests come by
  std::string peer = "127.0.0.1";
};

}  // namespace gantry::host::http

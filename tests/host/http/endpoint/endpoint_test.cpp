#include "tests/host/http/endpoint/fixture.hpp"

namespace gantry::host::http::endpoint_test {
namespace {

TEST_F(EndpointTest, AnswersHealthToGetAndHeadOnly) {
  start();
  protect();  // no credential needed for this
  EXPECT_EQ(send("GET", "/health", {})->body, R"({"status":"ok"})");
  EXPECT_EQ(send("HEAD", "/health", {})->status, 200);
  const auto other = send("POST", "/health", {});
  EXPECT_EQ(other->status, 405);
  EXPECT_EQ(other->headers["Allow"], "GET, HEAD");
  EXPECT_EQ(send("GET", "/", {})->status, 404);
  EXPECT_EQ(send("POST", "/mcp/", {})->status, 415) << "it is /mcp";
  EXPECT_EQ(send("POST", "/mcp//", {})->status, 404);
  EXPECT_EQ(send("POST", "/mcp/x", {})->status, 404);
}

TEST_F(EndpointTest, ChecksInTheRightOrder) {
  start({.guard = {.require_header = "X-Team: blue"}});
  const Fields all_wrong = {{"content-type", "text/plain"}, {"host", "evil.example"}};
  EXPECT_EQ(send("PUT", "/mcp", all_wrong)->status, 405);
  EXPECT_EQ(send("PUT", "/mcp", all_wrong)->headers["Allow"], "GET, POST, DELETE");
  EXPECT_EQ(send("GET", "/mcp", {{"mcp-protocol-version", "2026-07-28"}})->status, 405);
  EXPECT_EQ(send("POST", "/mcp", all_wrong, "{")->status, 415);
  EXPECT_EQ(
      send("POST", "/mcp", {{"content-type", "application/json"}, {"host", "evil.example"}}, "{")
          ->status,
      403);
  EXPECT_EQ(post("{")->status, 403);  // the required header
  EXPECT_EQ(code(post("{", {{"x-team", "blue"}})), rpc::kParseError);
  EXPECT_EQ(post("{", {{"x-team", "blue"}})->status, 400);
}

TEST_F(EndpointTest, RefusesATooLargeBodyForItsSizeOnlyWhenNothingBeforeIsWrong) {
  start({.guard = {.require_header = "X-Team"}});
  protect();
  Fields fields = {{"content-type", "text/plain"}, {"host", "evil.example"}};
  EXPECT_EQ(send("PUT", "/else", fields, "", Cause::too_large)->status, 404);
  EXPECT_EQ(send("PUT", "/mcp", fields, "", Cause::too_large)->status, 405);
  EXPECT_EQ(send("POST", "/mcp", fields, "", Cause::too_large)->status, 415);
  fields[0].second = "application/json";
  EXPECT_EQ(send("POST", "/mcp", fields, "", Cause::too_large)->status, 403);
  fields[1].second = "127.0.0.1";
  EXPECT_EQ(send("POST", "/mcp", fields, "", Cause::too_large)->status, 403);
  fields.emplace_back("x-team", "any");
  EXPECT_EQ(send("POST", "/mcp", fields, "", Cause::too_large)->status, 413);
  EXPECT_EQ(send("GET", "/metrics", fields, "", Cause::too_large)->status, 413);
  EXPECT_EQ(send("GET", "/health", fields, "", Cause::too_large)->status, 200);
}

TEST_F(EndpointTest, IsBusyWhereTooManyBytesAreHeld) {
  start();
  const Fields fields = {{"content-type", "application/json"}, {"host", "127.0.0.1"}};
  for (const auto& [method, path] : {std::pair("POST", "/mcp"), std::pair("GET", "/metrics")}) {
    const auto answer = send(method, path, fields, "", Cause::busy);
    EXPECT_EQ(answer->status, 503) << path;
    EXPECT_EQ(answer->body,
              R"({"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"server busy"}})");
  }
  EXPECT_EQ(send("PUT", "/mcp", fields, "", Cause::busy)->status, 405);
  EXPECT_EQ(send("GET", "/health", fields, "", Cause::busy)->status, 200);
}

TEST_F(EndpointTest, ServesOnlyMessagesOfRunningWorkWhileTheServerDrains) {
  start();
  const Fields fields = {{"content-type", "application/json"}, {"host", "127.0.0.1:1"}};
  const std::string session = open();
  Fields known = fields;
  known.emplace_back("mcp-session-id", session);
  const auto late = [&](const Fields& with, const std::string& body) {
    return send("POST", "/mcp", with, body, Cause::stopping)->status;
  };
  EXPECT_EQ(send("GET", "/health", {}, "", Cause::stopping)->status, 503);
  EXPECT_EQ(send("GET", "/metrics", fields, "", Cause::stopping)->status, 503);
  Fields listens = known;
  listens.emplace_back("accept", "text/event-stream");
  EXPECT_EQ(send("GET", "/mcp", listens, "", Cause::stopping)->status, 503);
  EXPECT_EQ(late(known, R"({"jsonrpc":"2.0","id":2,"method":"ping"})"), 503);
  EXPECT_EQ(late(fields, R"({"jsonrpc":"2.0","id":2,"method":"initialize","params":{}})"), 503);
  EXPECT_EQ(late(known, R"({"jsonrpc":"2.0","id":"gantry-1","result":{}})"), 202);
  EXPECT_EQ(late(known, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{}})"),
            202);
  const auto modern_late = [&](const std::string& method, const std::string& params) {
    Fields with = fields;
    with.emplace_back("mcp-protocol-version", "2026-07-28");
    with.emplace_back("mcp-method", method);
    with.emplace_back("mcp-name", "t");
    const auto answer = send("POST", "/mcp", with,
                             R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" +
                                 params + "," + kEnvelope + "}}}",
                             Cause::stopping);
    return answer->status == 200 ? code(answer) : answer->status;
  };
  EXPECT_EQ(modern_late("tools/call", R"("name":"t")"), 503);
  EXPECT_EQ(modern_late("tools/call", R"("name":"t","requestState":"forged")"),
            rpc::kInvalidParams);
  EXPECT_EQ(modern_late("tasks/get", R"("taskId":"t")"), 400);  // it knows no tasks
  EXPECT_EQ(send("DELETE", "/mcp", known, "", Cause::stopping)->status, 204);
}

TEST_F(EndpointTest, TakesJsonWithParameters) {
  start();
  EXPECT_EQ(
      send("POST", "/mcp", {{"content-type", "Application/JSON; charset=utf-8"}}, "{")->status,
      400);
  EXPECT_EQ(send("POST", "/mcp", {{"content-type", "application/jsonx"}}, "{")->status, 415);
  EXPECT_EQ(send("POST", "/mcp", {}, "{")->status, 415);
}

TEST_F(EndpointTest, ServesTheModernEra) {
  start();
  const auto discovered = modern("server/discover");
  EXPECT_EQ(discovered->status, 200);
  EXPECT_EQ(discovered->content_type, "application/json");
  EXPECT_TRUE(discovered->headers.empty());
  EXPECT_EQ(modern("ping")->status, 404);
  EXPECT_EQ(code(modern("ping")), rpc::kMethodNotFound);
  EXPECT_EQ(modern("tools/call", R"("name":"t")", {{"mcp-name", "t"}})->status, 200);
  EXPECT_EQ(modern("tools/call", R"("name":"t")", {{"mcp-name", "u"}})->status, 400);
  EXPECT_EQ(modern("tools/list", "", {{"mcp-session-id", "ignored"}})->status, 200);
}

TEST_F(EndpointTest, TakesModernNotifications) {
  start();
  const auto answer =
      post(std::string(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{)") +
           kEnvelope + "}}}");
  EXPECT_EQ(answer->status, 202);
  EXPECT_EQ(answer->body, "");
}

TEST_F(EndpointTest, StreamsOnceACallHasSomethingToSay) {
  start();
  const std::string params =
      R"("name":"chatty","_meta":{"progressToken":1,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";
  const auto call = [&](Fields fields) {
    fields.insert(fields.end(), {{"mcp-protocol-version", "2026-07-28"},
                                 {"mcp-method", "tools/call"},
                                 {"mcp-name", "chatty"}});
    return post(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{)" + params + "}}",
                fields);
  };
  const auto answer = call({{"accept", "application/json, text/event-stream"}});
  EXPECT_TRUE(answer->streaming && answer->closed);
  EXPECT_EQ(
      answer->body.rfind(
          "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"", 0),
      0u);
  EXPECT_NE(answer->body.find("\"result\""), std::string::npos);
  EXPECT_TRUE(answer->body.ends_with("\n\n"));
  EXPECT_FALSE(call({{"accept", "application/json"}})->streaming);
  EXPECT_FALSE(modern("tools/call", R"("name":"t")", {{"mcp-name", "t"}})->streaming);
}

TEST_F(EndpointTest, KeepsAnsweringWhenNoPlaceForAStreamIsLeft) {
  start({.streams = {.requests = 1}});
  const std::string body =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","_meta":{"progressToken":1,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})";
  const Fields fields = {
      {"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "tools/call"}, {"mcp-name", "slow"}};
  const auto first = post(body, fields), second = post(body, fields);
  for (const auto& handle : world.calls.open) handle->listener().progress(1, 0, "");
  EXPECT_TRUE(first->streaming);
  EXPECT_FALSE(second->streaming);
  for (const auto& handle : world.calls.open) handle->finish({});
  EXPECT_TRUE(first->closed);
  EXPECT_EQ(second->status, 200);
}

TEST_F(EndpointTest, CancelsAModernCallWhoseClientGoes) {
  start();
  const auto exchange = modern("tools/call", R"("name":"slow")", {{"mcp-name", "slow"}});
  ASSERT_TRUE(exchange->gone);
  exchange->gone();
  EXPECT_EQ(world.calls.open[0]->reasons, std::vector{CancelReason::client_disconnected});
}

TEST_F(EndpointTest, LetsALegacyCallGoOnWithoutItsClient) {
  start();
  const auto exchange = legacy("tools/call", open(), R"("name":"slow")");
  EXPECT_FALSE(exchange->gone);
  EXPECT_FALSE(exchange->answered);
  world.calls.open[0]->finish({});
  EXPECT_EQ(exchange->status, 200);
}

TEST_F(EndpointTest, CancelsLegacyCallsFromTheirSessionOnly) {
  start();
  const std::string mine = open(), other = open();
  const auto exchange = legacy("tools/call", mine, R"("name":"slow")", 7);
  const std::string cancel =
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})";
  EXPECT_EQ(post(cancel, {{"mcp-session-id", other}})->status, 202);
  EXPECT_FALSE(exchange->answered);
  EXPECT_EQ(post(cancel, {{"mcp-session-id", mine}})->status, 202);
  EXPECT_EQ(world.calls.open[0]->reasons, std::vector{CancelReason::notifications_cancelled});
  EXPECT_NE(exchange->body.find(R"(\"cancelled\":true)"), std::string::npos) << exchange->body;
}

TEST_F(EndpointTest, RefusesAnIdThatIsStillUnanswered) {
  start();
  const std::string session = open();
  const auto first = legacy("tools/call", session, R"("name":"slow")", 7);
  EXPECT_EQ(code(legacy("ping", session, "", 7)), rpc::kInvalidRequest);
  world.calls.open[0]->finish({});
  EXPECT_EQ(legacy("ping", session, "", 7)->status, 200);
}

TEST_F(EndpointTest, KeepsSessions) {
  start();
  EXPECT_EQ(legacy("ping", "unknown")->status, 404);
  EXPECT_EQ(code(legacy("ping", "unknown")), rpc::kSessionOrCredential);
  EXPECT_EQ(post(R"({"jsonrpc":"2.0","id":1,"method":"ping"})")->status, 400);
  const std::string session = open();
  EXPECT_EQ(legacy("ping", session)->body, R"({"jsonrpc":"2.0","id":1,"result":{}})");
  EXPECT_EQ(post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
                 {{"mcp-session-id", session}})
                ->status,
            202);
  EXPECT_EQ(post(R"({"jsonrpc":"2.0","id":1,"result":{}})", {{"mcp-session-id", session}})->status,
            202);
  EXPECT_EQ(post(R"({"jsonrpc":"2.0","id":1,"result":{}})")->status, 400);
  const auto running = legacy("tools/call", session, R"("name":"slow")", 9);
  EXPECT_EQ(send("DELETE", "/mcp", {{"mcp-session-id", session}})->status, 204);
  EXPECT_EQ(world.calls.open[0]->reasons, std::vector{CancelReason::session_terminated});
  EXPECT_TRUE(running->answered);
  EXPECT_EQ(send("DELETE", "/mcp", {{"mcp-session-id", session}})->status, 404);
  EXPECT_EQ(send("DELETE", "/mcp", {})->status, 400);
  EXPECT_EQ(legacy("ping", session)->status, 404);
}

TEST_F(EndpointTest, ChecksTheVersionHeaderOfASession) {
  start();
  const std::string session = open("2025-06-18");
  const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  EXPECT_EQ(
      post(ping, {{"mcp-session-id", session}, {"mcp-protocol-version", "2025-06-18"}})->status,
      200);
  EXPECT_EQ(
      post(ping, {{"mcp-session-id", session}, {"mcp-protocol-version", "1999-01-01"}})->status,
      400);
}

TEST_F(EndpointTest, MakesNoSessionForABadInitialize) {
  start();
  const auto answer = post(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})");
  EXPECT_EQ(code(answer), rpc::kInvalidParams);
  EXPECT_EQ(answer->headers.count("Mcp-Session-Id"), 0u);
  EXPECT_EQ(sessions.size(), 0u);
}

TEST_F(EndpointTest, TakesBatchesOfTheOneRevisionThatHasThem) {
  start();
  const std::string batch =
      R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}])";
  const auto good = post(batch, {{"mcp-session-id", open("2025-03-26")}});
  EXPECT_EQ(good->status, 200);
  EXPECT_EQ(json(good->body).Size(), 2u);
  const auto quiet = post(R"([{"jsonrpc":"2.0","method":"notifications/initialized"}])",
                          {{"mcp-session-id", open("2025-03-26")}});
  EXPECT_EQ(quiet->status, 202);
  for (const auto version : {"2025-06-18", "2025-11-25", "2024-11-05"}) {
    EXPECT_EQ(code(post(batch, {{"mcp-session-id", open(version)}})), rpc::kInvalidRequest)
        << version;
  }
  EXPECT_EQ(post(batch)->status, 400);
  EXPECT_EQ(post("[]", {{"mcp-session-id", open("2025-03-26")}})->status, 400);
}

TEST_F(EndpointTest, AnswersTheUnauthorizedWithOneSentence) {
  start();
  protect();
  for (const Fields& fields : {Fields{}, Fields{{"authorization", "Bearer wrong"}}}) {
    const auto answer = modern("server/discover", "", fields);
    EXPECT_EQ(answer->status, 401);
    EXPECT_EQ(answer->body,
              R"({"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Unauthorized"}})");
    EXPECT_EQ(answer->headers.at("WWW-Authenticate").rfind("Bearer ", 0), 0u);
  }
  EXPECT_EQ(modern("server/discover", "", {{"authorization", "Bearer s3cret"}})->status, 200);
  EXPECT_EQ(modern("server/discover", "", {{"x-mcp-api-key", "s3cret"}})->status, 200);
}

TEST_F(EndpointTest, LimitsClientsThatGuessKeys) {
  start();
  protect();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(modern("server/discover")->status, 401);
  const auto blocked = modern("server/discover");
  EXPECT_EQ(blocked->status, 429);
  EXPECT_GE(std::stoi(blocked->headers.at("Retry-After")), 1);
  EXPECT_NE(blocked->body.find("Too Many Requests"), std::string::npos);
  EXPECT_EQ(modern("server/discover", "", {{"authorization", "Bearer wrong"}})->status, 429);
  EXPECT_EQ(send("GET", "/health", {})->status, 200);
}

TEST_F(EndpointTest, LetsAGoodCredentialPassHoweverManyWrongOnesCameFromItsAddress) {
  start();
  protect();
  for (int i = 0; i < 600; ++i) modern("server/discover", "", {{"x-mcp-api-key", "wrong"}});
  EXPECT_EQ(modern("server/discover", "", {{"x-mcp-api-key", "wrong"}})->status, 429);
  EXPECT_EQ(modern("server/discover", "", {{"x-mcp-api-key", "s3cret"}})->status, 200);
  EXPECT_EQ(modern("server/discover", "", {{"authorization", "Bearer s3cret"}})->status, 200);
  EXPECT_EQ(post("{bad", {{"x-mcp-api-key", "s3cret"}})->status, 400);
  EXPECT_EQ(post("{bad")->status, 429);
}

TEST_F(EndpointTest, CountsOnlyFailuresAgainstAPeer) {
  start();
  protect();
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(modern("server/discover", "", {{"x-mcp-api-key", "s3cret"}})->status, 200);
  }
}

TEST_F(EndpointTest, BindsASessionToItsPrincipal) {
  start();
  protect();
  auto agent = std::make_shared<Agent>();
  agent->name = "other";
  auth.add_key("another", agent);
  const std::string session = open("2025-11-25", {{"x-mcp-api-key", "s3cret"}});
  const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  EXPECT_EQ(post(ping, {{"mcp-session-id", session}, {"x-mcp-api-key", "s3cret"}})->status, 200);
  EXPECT_EQ(post(ping, {{"mcp-session-id", session}, {"x-mcp-api-key", "another"}})->status, 404);
}

// Memory is short for the first answer.
struct ShortExchange final : FakeExchange {
  bool reply(int s, std::string_view type, Bytes b, Headers extra) override {
    if (!std::exchange(failed, true)) throw std::bad_alloc();
    return FakeExchange::reply(s, type, std::move(b), extra);
  }
  bool failed = false;
};

TEST_F(EndpointTest, APageMayReadThatTheServerFailed) {
  start({.guard = {.allowed_origins = {".example.com"}}});
  Request request;
  request.set_start("GET", "/health", 1);
  request.add_header("host", "127.0.0.1:1");
  request.add_header("origin", "https://a.example.com");
  const auto exchange = std::make_shared<ShortExchange>();
  EXPECT_THROW(endpoint->on_request(std::move(request), exchange), std::bad_alloc);
  EXPECT_EQ(exchange->status, 500);
  EXPECT_EQ(exchange->headers["Access-Control-Allow-Origin"], "https://a.example.com");
}

TEST_F(EndpointTest, AllowsPagesOfAllowedOrigins) {
  start({.guard = {.allowed_origins = {".example.com"}}});
  const auto answer = modern("server/discover", "", {{"origin", "https://a.example.com"}});
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->headers["Access-Control-Allow-Origin"], "https://a.example.com");
  EXPECT_NE(answer->headers["Access-Control-Expose-Headers"].find("Mcp-Session-Id"),
            std::string::npos);
  EXPECT_EQ(modern("server/discover", "", {{"origin", "https://evil.example"}})->status, 403);
  const auto before =
      send("OPTIONS", "/mcp",
           {{"origin", "https://a.example.com"},
            {"access-control-request-headers", "content-type, Mcp-Param-Bucket, x-evil"}});
  EXPECT_EQ(before->status, 204);
  EXPECT_NE(before->headers["Access-Control-Allow-Headers"].find("Mcp-Param-Bucket"),
            std::string::npos);
  EXPECT_EQ(before->headers["Access-Control-Allow-Headers"].find("x-evil"), std::string::npos);
  EXPECT_EQ(send("OPTIONS", "/mcp", {{"origin", "https://evil.example"}})->status, 403);
  EXPECT_EQ(send("OPTIONS", "/mcp", {})->status, 405);
}

TEST_F(EndpointTest, NamesTheRequiredHeaderToPages) {
  start({.guard = {.allowed_origins = {"https://a.example"}, .require_header = "X-Team: blue"}});
  const auto before =
      send("OPTIONS", "/mcp",
           {{"origin", "https://a.example"}, {"access-control-request-headers", "x-team"}});
  EXPECT_EQ(before->status, 204) << "a preflight cannot carry the header";
  EXPECT_NE(before->headers["Access-Control-Allow-Headers"].find("X-Team"), std::string::npos);
  EXPECT_EQ(modern("server/discover", "", {{"origin", "https://a.example"}})->status, 403);
  EXPECT_EQ(modern("server/discover", "", {{"x-team", "blue"}})->status, 200);
}

TEST_F(EndpointTest, RefusesAHeaderThatContradictsItself) {
  start();
  const auto answer = modern("server/discover", "", {{"mcp-method", "tools/list"}});
  EXPECT_EQ(answer->status, 400);
  EXPECT_EQ(code(answer), rpc::kHeaderMismatch);
  EXPECT_EQ(modern("server/discover", "", {{"mcp-method", "server/discover"}})->status, 200)
      << "the same twice says nothing else";
}

TEST_F(EndpointTest, ChecksTheVersionHeaderBeforeItEndsASession) {
  start();
  const std::string session = open();
  EXPECT_EQ(
      send("DELETE", "/mcp", {{"mcp-session-id", session}, {"mcp-protocol-version", "x"}})->status,
      400);
  EXPECT_EQ(send("DELETE", "/mcp", {{"mcp-session-id", session}})->status, 204);
}

TEST_F(EndpointTest, CountsRequestsRefusedBeforeTheirCredential) {
  start();
  protect();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(post("{bad")->status, 400);
  EXPECT_EQ(post("{bad")->status, 429);
}

TEST_F(EndpointTest, GivesAnAnswersIdToNoOtherClient) {
  start();
  const auto answer = post(R"({"jsonrpc":"2.0","id":"gantry-1","result":{}})");
  EXPECT_EQ(answer->status, 400);
  EXPECT_TRUE(json(answer->body)["id"].IsNull());
}

// Whose share a call uses (calls/parties.hpp).
TEST_F(EndpointTest, CallsWithoutACredentialCountForTheirConnectionOrSession) {
  start();
  const std::string call = R"("name":"t","arguments":{})";
  const Fields named = {{"mcp-name", "t"}};
  for (connection = 7; connection <= 8; ++connection) modern("tools/call", call, named);
  const std::string first = open(), second = open();
  for (const auto& session : {first, second, first}) {
    ++connection;
    legacy("tools/call", session, call);
  }
  const auto& seen = world.calls.seen;
  ASSERT_EQ(seen.size(), 5u);
  for (const auto& one : seen) EXPECT_EQ(one.party, "127.0.0.1");
  EXPECT_EQ(seen[0].client, 7u);
  EXPECT_EQ(seen[1].client, 8u);
  EXPECT_EQ(seen[2].client, seen[4].client) << "one session by two connections";
  EXPECT_NE(seen[2].client, seen[3].client);
}

TEST_F(EndpointTest, CallsWithACredentialCountForItOnEveryConnection) {
  protect();
  start();
  for (connection = 1; connection <= 2; ++connection) {
    modern("tools/call", R"("name":"t","arguments":{})",
           {{"mcp-name", "t"}, {"authorization", "Bearer s3cret"}});
  }
  const auto& seen = world.calls.seen;
  ASSERT_EQ(seen.size(), 2u);
  for (const auto& one : seen) {
    EXPECT_EQ(one.party.substr(0, 8), "api_key:");
    EXPECT_EQ(one.client, 0u);
  }
}

}  // namespace
}  // namespace gantry::host::http::endpoint_test

// Streams of sessions: GET, resumption, what a POST's stream does without its client.
#include <sstream>

#include "host/http/endpoint/accepts.hpp"
#include "tests/host/http/endpoint/fixture.hpp"

namespace gantry::host::http::streams_test {
namespace {

struct StreamsTest : EndpointTest {
  ExchangePtr get(const std::string& session, Fields fields = {}) {
    fields.emplace_back("accept", "text/event-stream");
    fields.emplace_back("mcp-session-id", session);
    return send("GET", "/mcp", fields);
  }
  ExchangePtr resume(const std::string& session, const std::string& last) {
    return get(session, {{"last-event-id", last}});
  }
  ExchangePtr slow(const std::string& session, int id = 7, Fields fields = {}) {
    fields.emplace_back("mcp-session-id", session);
    return post(
        R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
            R"(,"method":"tools/call","params":{"name":"slow","_meta":{"progressToken":1}}})",
        fields);
  }
  void progress(double done, std::size_t call = 0) {
    world.calls.open[call]->listener().progress(done, 0, "");
  }
  void finish(std::size_t call = 0) { world.calls.open[call]->finish({}); }
  std::shared_ptr<Session> session_of(const std::string& id) { return sessions.find(id, "local"); }
  void ready(const std::string& session) {
    EXPECT_EQ(post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
                   {{"mcp-session-id", session}})
                  ->status,
              202);
  }

  static std::vector<std::string> ids(const ExchangePtr& exchange) {
    std::vector<std::string> out;
    std::istringstream lines(exchange->body);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("id: ")) out.push_back(line.substr(4));
    }
    return out;
  }
};

using Ids = std::vector<std::string>;

TEST_F(StreamsTest, ListensOnAnOpenStream) {
  start();
  const auto session = open();
  const auto stream = get(session);
  EXPECT_TRUE(stream->streaming && !stream->closed);
  EXPECT_EQ(endpoint->listeners(), 1);
  ready(session);
  EXPECT_TRUE(session_of(session)->push("{\"a\":\n1}"));
  EXPECT_NE(stream->body.find("id: s0-2\nevent: message\ndata: {\"a\": 1}\n\n"), std::string::npos)
      << stream->body;
}

TEST_F(StreamsTest, PrimesOnlyForTheRevisionThatKnowsPrimers) {
  start();
  for (const std::string version : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    const auto session = open(version);
    const auto listening = get(session), calling = slow(session);
    world.calls.open.back()->listener().progress(1, 0, "");
    const bool primed = version == "2025-11-25";
    EXPECT_EQ(listening->body, primed ? "id: s0-1\nretry: 1000\ndata:\n\n" : "") << version;
    EXPECT_EQ(calling->body.rfind("id: s1-1\nretry: 1000\ndata:\n\n", 0) == 0, primed) << version;
    EXPECT_EQ(ids(calling), primed ? (Ids{"s1-1", "s1-2"}) : Ids{"s1-1"});
    world.calls.open.back()->finish({});
  }
}

TEST_F(StreamsTest, RefusesClientsThatCannotListen) {
  start({.streams = {.listeners = 1}});
  const auto session = open();
  EXPECT_EQ(send("GET", "/mcp", {{"mcp-session-id", session}})->status, 406);
  EXPECT_EQ(
      send("GET", "/mcp", {{"mcp-session-id", session}, {"accept", "application/json"}})->status,
      406);
  EXPECT_EQ(send("GET", "/mcp", {{"accept", "text/event-stream"}})->status, 400);
  EXPECT_EQ(get("unknown")->status, 404);
  EXPECT_EQ(get(session, {{"mcp-protocol-version", "1999-01-01"}})->status, 400);
  EXPECT_TRUE(get(session)->streaming);
  const auto crowd = get(open());
  EXPECT_EQ(crowd->status, 503);
  EXPECT_EQ(code(crowd), rpc::kServerError);
  for (const auto method : {"GET", "DELETE"}) {
    const auto modern = send(
        method, "/mcp", {{"mcp-protocol-version", "2026-07-28"}, {"accept", "text/event-stream"}});
    EXPECT_EQ(modern->status, 405);
    EXPECT_EQ(modern->headers.at("Allow"), "POST");
  }
}

TEST_F(StreamsTest, AsksForTheCredentialBeforeTheSession) {
  start();
  protect();
  EXPECT_EQ(get("unknown")->status, 401);
}

TEST_F(StreamsTest, LetsTheClientThatComesAgainTakeOver) {
  start({.streams = {.listeners = 2}});
  const auto session = open();
  const auto first = get(session), second = get(session);
  EXPECT_TRUE(first->closed);
  EXPECT_FALSE(second->closed);
  EXPECT_EQ(endpoint->listeners(), 1);  // the place came back
  first->gone();                        // noticed late
  ready(session);
  session_of(session)->push("{}");
  EXPECT_NE(second->body.find("data: {}"), std::string::npos);
}

TEST_F(StreamsTest, ReplaysTheMissedEventsOfALostListener) {
  start();
  const auto session = open();
  const auto first = get(session);
  ready(session);
  session_of(session)->push("1");
  first->gone();
  EXPECT_EQ(endpoint->listeners(), 0);
  session_of(session)->push("2");
  const auto again = resume(session, "s0-2");
  EXPECT_EQ(ids(again), Ids{"s0-3"});
  session_of(session)->push("3");
  EXPECT_EQ(ids(again), (Ids{"s0-3", "s0-4"}));
}

TEST_F(StreamsTest, ContinuesACallWhoseClientReconnects) {
  start();
  const auto session = open();
  const auto first = slow(session);
  progress(1);
  first->gone();
  EXPECT_EQ(endpoint->request_streams(), 0);
  EXPECT_TRUE(world.calls.open[0]->reasons.empty());  // no cancellation
  progress(2);
  const auto again = resume(session, ids(first).front());
  EXPECT_EQ(ids(again), (Ids{"s1-2", "s1-3"}));
  EXPECT_FALSE(again->closed);
  finish();
  EXPECT_EQ(ids(again), (Ids{"s1-2", "s1-3", "s1-4"}));
  EXPECT_NE(again->body.find(R"("id":7,"result")"), std::string::npos);
  EXPECT_TRUE(again->closed);
}

TEST_F(StreamsTest, ReplaysAnAnswerGivenWithoutAConnection) {
  start();
  const auto session = open();
  const auto first = slow(session);
  progress(1);
  first->gone();
  finish();
  const auto again = resume(session, "s1-2");
  EXPECT_EQ(ids(again), Ids{"s1-3"});
  EXPECT_TRUE(again->closed);
  EXPECT_EQ(endpoint->request_streams(), 0);
}

TEST_F(StreamsTest, ResumesBesideAnOpenListener) {
  start();
  const auto session = open();
  const auto listening = get(session);
  const auto first = slow(session);
  progress(1);
  first->gone();
  EXPECT_EQ(resume(session, "s1-1")->status, 200);
  EXPECT_FALSE(listening->closed);
}

TEST_F(StreamsTest, RefusesIdsItNeverGave) {
  start();
  const auto session = open();
  get(session);
  for (const auto id : {"s0-9", "s5-1", "s0-0", "nonsense", "s0-1 "}) {
    const auto refused = resume(session, id);
    EXPECT_EQ(refused->status, 400) << id;
    EXPECT_NE(refused->body.find("Last-Event-ID"), std::string::npos);
  }
  EXPECT_EQ(endpoint->listeners(), 1);
  EXPECT_EQ(endpoint->request_streams(), 0);
  EXPECT_EQ(resume(open(), "s0-1")->status, 400);  // of another session
}

TEST_F(StreamsTest, OpensTheStreamOfALateAnswerSoThatItCanBeResumed) {
  start();
  const auto session = open();
  const auto exchange = slow(session);
  ASSERT_TRUE(exchange->late);
  EXPECT_FALSE(exchange->answered);
  exchange->late();
  EXPECT_EQ(exchange->body, "id: s1-1\nretry: 1000\ndata:\n\n");
  exchange->gone();
  finish();
  EXPECT_EQ(ids(resume(session, "s1-1")), Ids{"s1-2"});
  EXPECT_FALSE(slow(open("2025-06-18"), 8)->late);  // no primer, nothing to resume by
}

TEST_F(StreamsTest, AnswersInJsonWhereNothingElseIsTaken) {
  start();
  const auto session = open();
  const auto exchange = slow(session, 7, {{"accept", "application/json"}});
  EXPECT_FALSE(exchange->late);
  progress(1);
  finish();
  EXPECT_FALSE(exchange->streaming);
  EXPECT_EQ(exchange->content_type, "application/json");
}

TEST_F(StreamsTest, AnswersInAStreamWhereNothingElseIsTaken) {
  start();
  const Fields only = {{"accept", "text/event-stream"}};
  const auto session = open();
  EXPECT_TRUE(post(R"({"jsonrpc":"2.0","id":1,"method":"ping"})",
                   {{"mcp-session-id", session}, {"accept", "text/event-stream"}})
                  ->closed);
  const auto exchange = slow(session, 7, only);
  finish();
  EXPECT_TRUE(exchange->streaming && exchange->closed);
  EXPECT_EQ(ids(exchange).size(), 2u);
}

TEST_F(StreamsTest, RefusesClientsThatAcceptNeither) {
  start();
  const auto session = open();
  const auto answer = slow(session, 7, {{"accept", "text/html"}});
  EXPECT_EQ(answer->status, 406);
  EXPECT_NE(answer->body.find("Accept"), std::string::npos);
  EXPECT_EQ(json(answer->body)["id"].GetInt(), 7);
  EXPECT_TRUE(world.calls.open.empty());
}

TEST_F(StreamsTest, EndsEverythingWithTheSession) {
  start();
  const auto session = open();
  const auto listening = get(session);
  const auto calling = slow(session);
  progress(1);
  EXPECT_EQ(send("DELETE", "/mcp", {{"mcp-session-id", session}})->status, 204);
  EXPECT_TRUE(listening->closed);
  EXPECT_EQ(world.calls.open[0]->reasons, std::vector{CancelReason::session_terminated});
  EXPECT_NE(calling->body.find("\"id\":7"), std::string::npos);  // its answer, then the end
  EXPECT_TRUE(calling->closed);
  EXPECT_EQ(endpoint->listeners() + endpoint->request_streams(), 0);
  EXPECT_EQ(get(session)->status, 404);
}

TEST_F(StreamsTest, CutsAListenerThatDoesNotRead) {
  start({.max_waiting = 3});
  const auto session = open();
  auto stream = get(session);
  ready(session);
  stream->stuck = 1;
  for (int i = 0; i < 4; ++i) session_of(session)->push(std::to_string(i));
  EXPECT_EQ(endpoint->listeners(), 0);
  EXPECT_EQ(ids(stream), (Ids{"s0-1", "s0-2", "s0-3", "s0-4"}));
  EXPECT_EQ(ids(resume(session, "s0-4")), Ids{"s0-5"});  // a client that comes back loses nothing
}

TEST_F(StreamsTest, LetAListenerCatchUp) {
  start({.max_waiting = 3});
  const auto session = open();
  auto stream = get(session);
  ready(session);
  for (int i = 0; i < 40; ++i) {
    stream->stuck = i % 3;
    session_of(session)->push(std::to_string(i));
  }
  EXPECT_EQ(endpoint->listeners(), 1);
}

TEST_F(StreamsTest, AllowPagesToListen) {
  start({.guard = {.allowed_origins = {"https://page.example"}}});
  const auto answer =
      send("OPTIONS", "/mcp",
           {{"origin", "https://page.example"}, {"access-control-request-method", "GET"}});
  EXPECT_EQ(answer->status, 204);
  EXPECT_NE(answer->headers["Access-Control-Allow-Methods"].find("GET"), std::string::npos);
  EXPECT_NE(answer->headers["Access-Control-Allow-Headers"].find("Last-Event-ID"),
            std::string::npos);
}

TEST(Accepts, ReadsTheHeadersOfRealClients) {
  const auto form = [](const char* header) {
    const Accepts accepts = read_accept(header);
    return std::string(accepts.json ? "j" : "-") + (accepts.stream ? "s" : "-");
  };
  EXPECT_EQ(form("application/json, text/event-stream"), "js");
  EXPECT_EQ(form("text/event-stream;q=0.5,Application/JSON"), "js");
  EXPECT_EQ(form("*/*"), "js");
  EXPECT_EQ(form("application/*"), "j-");
  EXPECT_EQ(form("text/*"), "-s");
  EXPECT_EQ(form("application/json, text/event-stream;q=0"), "j-");
  EXPECT_EQ(form("text/html, application/jsonx"), "--");
  EXPECT_EQ(form(""), "--");
  EXPECT_TRUE(read_accept(std::nullopt).json && read_accept(std::nullopt).stream);
}

}  // namespace
}  // namespace gantry::host::http::streams_test

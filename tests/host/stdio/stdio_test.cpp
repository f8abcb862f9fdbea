#include "host/stdio/stdio.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "tests/host/rpc/fake.hpp"

namespace gantry::host::stdio_test {
namespace {

using rpc::json;

const std::string kMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

std::string modern(int id, const std::string& method, const std::string& params = "") {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method +
         R"(","params":{)" + params + (params.empty() ? "" : ",") + kMeta + "}}\n";
}

std::string plain(int id, const std::string& method, const std::string& params = "") {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method +
         R"(","params":{)" + params + "}}\n";
}

std::string hello(const std::string& version = "2025-11-25") {
  return plain(1, "initialize", "\"protocolVersion\":\"" + version + "\"");
}

// Feeds everything, ends the input and gives the lines that came back.
struct StdioTest : testing::Test {
  StdioTest() {
    EXPECT_EQ(pipe(in), 0);
    EXPECT_EQ(pipe(out), 0);
  }
  ~StdioTest() override {
    for (const int fd : {in[0], out[0]}) close(fd);
  }

  std::vector<std::string> talk(const std::string& input) {
    Stdio stdio(
        world.dispatcher, world.principal, clock, world.metrics,
        {.in = in[0], .out = out[1], .max_line = 4096, .grace = std::chrono::milliseconds(50)});
    std::thread feeder([&] {
      EXPECT_EQ(write(in[1], input.data(), input.size()), static_cast<ssize_t>(input.size()));
      close(in[1]);
    });
    std::string all;
    std::thread reader([&] {
      char bytes[4096];
      for (ssize_t n; (n = read(out[0], bytes, sizeof bytes)) > 0;)
        all.append(bytes, static_cast<std::size_t>(n));
    });
    stdio.run(-1);
    close(out[1]);
    feeder.join();
    reader.join();
    std::vector<std::string> lines;
    for (std::size_t at = 0, end; (end = all.find('\n', at)) != std::string::npos; at = end + 1)
      lines.push_back(all.substr(at, end - at));
    return lines;
  }
  static int code(const std::string& line) {
    const auto message = json(line);
    return message.HasMember("error") ? message["error"]["code"].GetInt() : 0;
  }

  rpc::World world{{rpc::tool("t"), rpc::tool("slow"), rpc::tool("chatty")}};
  SystemClock clock;
  int in[2], out[2];
};

TEST_F(StdioTest, ServesALegacyClient) {
  const auto lines =
      talk(hello() +
           R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
           "\n" +
           plain(2, "tools/list") + plain(3, "tools/call", R"("name":"t")") + plain(4, "ping"));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_STREQ(json(lines[0])["result"]["protocolVersion"].GetString(), "2025-11-25");
  EXPECT_EQ(json(lines[1])["result"]["tools"].Size(), 3u);
  EXPECT_FALSE(json(lines[2])["result"].HasMember("resultType"));
  EXPECT_EQ(json(lines[3])["result"].MemberCount(), 0u);
}

TEST_F(StdioTest, ReadsNoMoreOfAClientThatDoesNotReadItsAnswers) {
  Stdio stdio(world.dispatcher, world.principal, clock, world.metrics,
              {.in = in[0], .out = out[1], .max_unread = 100'000});
  constexpr int kPings = 20'000;
  std::atomic<int> asked{0};
  std::thread feeder([&] {
    for (int i = 0; i < kPings; ++i, ++asked) {
      const std::string line = plain(i, "ping");
      EXPECT_EQ(write(in[1], line.data(), line.size()), static_cast<ssize_t>(line.size()));
    }
    close(in[1]);
  });
  std::thread server([&] {
    stdio.run(-1);
    close(out[1]);
  });
  for (int before = -1; before != asked;) {  // until it waits
    before = asked;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  EXPECT_LT(asked, kPings / 2);
  char bytes[4096];
  int answered = 0;
  for (ssize_t n; (n = read(out[0], bytes, sizeof bytes)) > 0;) {
    answered += static_cast<int>(std::count(bytes, bytes + n, '\n'));
  }
  feeder.join();
  server.join();
  EXPECT_EQ(answered, kPings) << "late, and none is lost";
}

TEST_F(StdioTest, ServesAModernClient) {
  const auto lines = talk(modern(1, "server/discover") + modern(2, "tools/call", R"("name":"t")") +
                          plain(3, "tools/list") + hello());
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_TRUE(json(lines[0])["result"].HasMember("supportedVersions"));
  EXPECT_STREQ(json(lines[1])["result"]["resultType"].GetString(), "complete");
  EXPECT_EQ(code(lines[2]), rpc::kInvalidParams);
  EXPECT_EQ(code(lines[3]), rpc::kUnsupportedVersion);
}

TEST_F(StdioTest, LetsAClientLookFirstAndShakeHandsThen) {
  const auto lines = talk(modern(1, "server/discover") + hello() + plain(2, "tools/list") +
                          modern(3, "tools/list"));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(code(lines[1]), 0);
  EXPECT_EQ(code(lines[2]), 0);
  EXPECT_FALSE(json(lines[3])["result"].HasMember("resultType"));  // it stays legacy
}

TEST_F(StdioTest, ChecksTheEnvelope) {
  const auto lines = talk(
      plain(1, "tools/list",
            R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})") +
      plain(
          2, "tools/list",
          R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}})") +
      plain(3, "tools/list"));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(code(lines[0]), rpc::kInvalidParams);
  EXPECT_EQ(code(lines[1]), rpc::kUnsupportedVersion);
  EXPECT_EQ(code(lines[2]), rpc::kInvalidRequest);
}

TEST_F(StdioTest, ContinuesAfterUnreadableLines) {
  const auto lines =
      talk("not json\n\n  \r\n" + std::string(10'000, 'x') + "\n" + plain(1, "ping") +
           std::string(5'000, 'y') + "\n" + R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(code(lines[0]), rpc::kParseError);
  EXPECT_EQ(code(lines[1]), rpc::kParseError);
  EXPECT_EQ(json(lines[2])["id"].GetInt(), 1);
  EXPECT_EQ(code(lines[3]), rpc::kParseError);
  EXPECT_EQ(json(lines[4])["id"].GetInt(), 2);  // a last line needs no end
}

TEST_F(StdioTest, SendsProgressOnTheSameLine) {
  const auto lines =
      talk(hello() + plain(2, "tools/call", R"("name":"chatty","_meta":{"progressToken":"p"})"));
  ASSERT_GE(lines.size(), 3u);
  EXPECT_NE(lines[1].find("notifications/progress"), std::string::npos);
  EXPECT_EQ(json(lines.back())["id"].GetInt(), 2);
}

TEST_F(StdioTest, SaysNothingMoreOfAModernRequestThatIsCancelled) {
  const auto lines =
      talk(modern(7, "tools/call", R"("name":"slow")") +
           R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})"
           "\n" +
           modern(8, "tools/list"));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(json(lines[0])["id"].GetInt(), 8);
  EXPECT_EQ(world.calls.open[0]->reasons, std::vector{CancelReason::notifications_cancelled});
}

TEST_F(StdioTest, CancelsAndAnswersRunningCallsAtTheEnd) {
  const auto lines = talk(modern(7, "tools/call", R"("name":"slow")"));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(json(lines[0])["result"]["isError"].GetBool());
  EXPECT_EQ(world.calls.open[0]->reasons, std::vector{CancelReason::session_terminated});
}

TEST_F(StdioTest, RefusesAnIdThatIsStillUnanswered) {
  const auto lines = talk(modern(7, "tools/call", R"("name":"slow")") + modern(7, "tools/list"));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(code(lines[0]), rpc::kInvalidRequest);
}

TEST_F(StdioTest, TakesBatchesOfTheOneRevisionThatHasThem) {
  const std::string batch =
      R"([{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","id":3,"method":"ping"}])"
      "\n";
  const auto lines = talk(batch + hello("2025-03-26") + batch);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(code(lines[0]), rpc::kInvalidRequest);
  EXPECT_EQ(json(lines[2]).Size(), 2u);
}

TEST_F(StdioTest, NeverWaitsForAClientThatDoesNotRead) {
  const std::string input = hello();
  std::string many;
  for (int i = 2; i < 2'000; ++i) many += plain(i, "tools/list");
  std::thread feeder([&] {
    for (const auto& text : {input, many})
      EXPECT_EQ(write(in[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    close(in[1]);
  });
  Stdio stdio(world.dispatcher, world.principal, clock, world.metrics,
              {.in = in[0], .out = out[1], .grace = std::chrono::milliseconds(50)});
  stdio.run(-1);  // returns although most of the answers never left
  feeder.join();
  close(out[1]);
}

TEST_F(StdioTest, ReportsItsEndOnce) {
  close(in[1]);
  int ended = 0;
  Stdio stdio(world.dispatcher, world.principal, clock, world.metrics,
              {.in = in[0], .out = out[1], .grace = std::chrono::milliseconds(1), .on_end = [&] {
                 ++ended;
               }});
  stdio.run(-1);
  EXPECT_EQ(ended, 1);
  close(out[1]);
}

TEST_F(StdioTest, StopsOnASignal) {
  int stop[2];
  ASSERT_EQ(pipe(stop), 0);
  ASSERT_EQ(write(stop[1], "x", 1), 1);
  Stdio stdio(world.dispatcher, world.principal, clock, world.metrics,
              {.in = in[0], .out = out[1], .grace = std::chrono::milliseconds(1)});
  stdio.run(stop[0]);  // returns although the input goes on
  for (const int fd : {stop[0], stop[1], in[1], out[1]}) close(fd);
}

TEST_F(StdioTest, EndsWithTheLastAnswerAfterASignal) {
  using namespace std::chrono_literals;
  int stop[2];
  ASSERT_EQ(pipe(stop), 0);
  std::atomic<bool> started{false}, stopping{false};
  world.calls.handler = [&](const ItemCall&, CallListener&) {
    started = true;
    return std::nullopt;
  };
  Stdio stdio(world.dispatcher, world.principal, clock, world.metrics,
              {.in = in[0], .out = out[1], .grace = 60s, .on_end = [&] { stopping = true; }});
  std::thread server([&] { stdio.run(stop[0]); });
  const std::string line = modern(1, "tools/call", R"("name":"slow")");
  EXPECT_EQ(write(in[1], line.data(), line.size()), static_cast<ssize_t>(line.size()));
  while (!started) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(write(stop[1], "x", 1), 1);
  while (!stopping) std::this_thread::sleep_for(1ms);
  std::this_thread::sleep_for(50ms);  // it waits for the answer or the client
  const auto answered = std::chrono::steady_clock::now();
  world.calls.open.front()->finish({});
  server.join();
  EXPECT_LT(std::chrono::steady_clock::now() - answered, 20s);
  for (const int fd : {stop[0], stop[1], in[1], out[1]}) close(fd);
}

TEST_F(StdioTest, CountsEveryMessageByItsMethod) {
  talk(hello() + plain(2, "ping", "") + plain(3, "ping", "") + "{\n");
  const std::string text = world.metrics.text();
  for (const std::string line :
       {R"({method="initialize",status="200"} 1)", R"({method="ping",status="200"} 2)",
        R"({method="other",status="200"} 1)"}) {
    EXPECT_NE(text.find("gantry_requests_total" + line + "\n"), std::string::npos) << line << text;
  }
}

}  // namespace
}  // namespace gantry::host::stdio_test

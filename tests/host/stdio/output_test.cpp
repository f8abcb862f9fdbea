#include "host/stdio/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>

#include <gtest/gtest.h>

#include "host/stdio/sink.hpp"

namespace gantry::host {
namespace {

using std::chrono::milliseconds;

bool eventually(const std::function<bool()>& condition) {
  for (int i = 0; i < 5'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return false;
}

// A pipe of one page: full after a few lines.
struct OutputTest : testing::Test {
  OutputTest() {
    EXPECT_EQ(pipe(ends), 0);
    EXPECT_GE(fcntl(ends[1], F_SETPIPE_SZ, 4096), 0);
    output = std::make_shared<StdioOutput>(ends[1], 2);
  }
  ~OutputTest() override {
    output->stop(milliseconds(0));
    close(ends[0]);
    close(ends[1]);
  }
  // Everything until the writer has stopped and closed.
  std::string read_all() {
    std::string all;
    std::thread reader([&] {
      char bytes[4096];
      for (ssize_t n; (n = read(ends[0], bytes, sizeof bytes)) > 0;)
        all.append(bytes, static_cast<std::size_t>(n));
    });
    output->stop(milliseconds(5'000));
    close(ends[1]);
    reader.join();
    ends[1] = dup(ends[0]);
    return all;
  }

  int ends[2];
  std::shared_ptr<StdioOutput> output;
};

TEST_F(OutputTest, WritesLinesInTheirOrder) {
  output->start();
  std::string expected;
  for (int i = 0; i < 2'000; ++i) {
    output->line("{\"n\":\n" + std::to_string(i) + "}");
    expected += "{\"n\": " + std::to_string(i) + "}\n";
  }
  EXPECT_EQ(read_all(), expected);
}

TEST_F(OutputTest, BlocksNoThreadWhenTheClientDoesNotRead) {
  output->start();
  EXPECT_EQ(output->backlog(), 0u);
  output->line(std::string(100'000, 'x'));
  EXPECT_TRUE(eventually([&] { return output->backlog() > 0; }));
  for (int i = 0; i < 200; ++i) output->note(std::string(100'000, 'n'));
  EXPECT_LT(output->backlog(), 9u << 20);  // the rest was dropped
  const auto waits = output->backlog();
  output->line(std::string(1'000, 'a'));  // an answer never is
  EXPECT_EQ(output->backlog(), waits + 1'001);
  output->stop(milliseconds(10));  // nor does the end wait longer
}

TEST_F(OutputTest, ReportsOnceThatAllBytesAreWritten) {
  output->start();
  std::atomic<int> told{0}, forgotten{0};
  output->line(std::string(50'000, 'x'));
  ASSERT_TRUE(eventually([&] { return output->backlog() > 0; }));
  output->when_drained(&told, [&] { ++told; });
  output->when_drained(&forgotten, [&] { ++forgotten; });
  output->when_drained(&forgotten, nullptr);
  EXPECT_EQ(told, 0);
  std::string got(50'001, ' ');
  for (std::size_t n = 0; n < got.size();)
    n += static_cast<std::size_t>(read(ends[0], got.data() + n, got.size() - n));
  EXPECT_TRUE(eventually([&] { return told == 1; }));
  output->when_drained(&told, [&] { ++told; });  // nothing waits: at once, elsewhere
  EXPECT_TRUE(eventually([&] { return told == 2; }));
  EXPECT_EQ(forgotten, 0);
}

TEST_F(OutputTest, IsNotHurtByAClientThatIsGone) {
  signal(SIGPIPE, SIG_IGN);
  output->start();
  close(ends[0]);
  for (int i = 0; i < 100; ++i) output->line(std::string(1'000, 'x'));
  output->stop(milliseconds(5'000));
  ends[0] = dup(ends[1]);
}

struct SinkTest : OutputTest {
  std::shared_ptr<StdioSink> sink(std::string_view text) {
    rpc::Message message(text);
    EXPECT_FALSE(message.parse());
    return std::make_shared<StdioSink>(output, session, message, true);
  }
  std::shared_ptr<Session> session =
      std::make_shared<Session>("", "p", SessionTerms{"2026-07-28"}, Clock::Instant{});
};

constexpr std::string_view kListen =
    R"({"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{}})";

TEST_F(SinkTest, SaysThatListeningHasEndedBecauseTheChannelGoesOn) {
  output->start();
  const auto listening = sink(kListen);
  ASSERT_TRUE(listening->listen());
  EXPECT_TRUE(output->answers().wait_for_none({}));  // the end does not wait for it
  listening->notify("{\"n\":1}");
  listening->answer({"{\"done\":true}", 200});
  EXPECT_EQ(read_all(),
            "{\"n\":1}\n{\"done\":true}\n"
            R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"l"}})"
            "\n");
}

TEST_F(SinkTest, SaysNothingMoreOnceListeningWasCancelled) {
  output->start();
  const auto listening = sink(kListen);
  ASSERT_TRUE(listening->listen());
  std::vector<Stop> stops;
  listening->started([&](Stop why) {
    stops.push_back(why);
    listening->answer({"{}", 200});
  });
  EXPECT_TRUE(session->running().cancel("sl"));
  EXPECT_EQ(stops, std::vector{Stop::cancelled});
  EXPECT_EQ(session->running().size(), 0u);
  EXPECT_EQ(read_all(), "");
}

TEST_F(SinkTest, RefusesToListenWhenNoPlaceIsLeft) {
  const auto a = sink(kListen), b = sink(kListen), c = sink(kListen);
  EXPECT_TRUE(a->listen() && b->listen());
  EXPECT_FALSE(c->listen());
  a->answer({"{}", 200});
  EXPECT_TRUE(c->listen());
}

TEST_F(SinkTest, CarriesPushedMessagesOfASession) {
  output->start();
  session->streams().listen(std::make_shared<StdioEventSink>(output), false);
  EXPECT_FALSE(session->push("{\"early\":1}"));
  session->set_ready();
  EXPECT_TRUE(session->push("{\"n\":1}"));
  EXPECT_EQ(read_all(), "{\"n\":1}\n");
}

}  // namespace
}  // namespace gantry::host

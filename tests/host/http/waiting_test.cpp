// Callbacks for late answers and for streams that have drained.
#include <semaphore>

#include "fixture.hpp"

namespace gantry::host::http::testing::waiting_test {
namespace {

TEST(Waiting, ReportsALateAnswerOnce) {
  Kept kept;
  Limits limits;
  limits.tick = 5ms;
  limits.patience = 400ms;
  TestServer server(kept.keeper(), limits);
  std::atomic<int> late{0}, never{0};
  auto client = server.connect(), quick = server.connect(), streamed = server.connect();
  client.send(get("/"));
  kept.wait()->when_late([&] { ++late; });
  quick.send(get("/"));
  kept.wait(1)->when_late([&] { ++never; });
  kept.wait(1)->reply(200, "", std::string("x"));
  streamed.send(get("/"));
  kept.wait(2)->when_late([&] { ++never; });
  kept.wait(2)->open_stream();
  EXPECT_TRUE(eventually([&] { return late == 1; }));
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(late, 1);
  EXPECT_EQ(never, 0);
  kept.forget();
}

TEST(Waiting, CountsFromEachRequestOnAConnection) {
  Kept kept;
  Limits limits;
  limits.tick = 5ms;
  limits.patience = 300ms;
  TestServer server(kept.keeper(), limits);
  std::atomic<int> late{0};
  auto client = server.connect();
  for (std::size_t i = 0; i < 2; ++i) {
    client.send(get("/"));
    kept.wait(i)->when_late([&] { ++late; });
    EXPECT_TRUE(eventually([&] { return late == static_cast<int>(i) + 1; }));
    kept.wait(i)->reply(200, "", std::string("x"));
    EXPECT_EQ(client.read_response().status, 200);
  }
  kept.forget();
}

TEST(Waiting, CountsTheUnreadBytesAndReportsWhenTheyAreRead) {
  Kept kept;
  TestServer server(kept.keeper());
  auto client = server.connect(4096);
  client.send(get("/"));
  const auto exchange = kept.wait();
  std::atomic<int> drained{0};
  exchange->when_drained([&] { ++drained; });  // no stream yet: never called
  ASSERT_TRUE(exchange->open_stream());
  exchange->when_drained([&] { ++drained; });
  EXPECT_TRUE(eventually([&] { return drained == 1; }));  // nothing waits
  const std::string event = "data: " + std::string(64 * 1024, 'x') + "\n\n";
  std::size_t written = 0;
  while (exchange->backlog() == 0) {
    ASSERT_TRUE(exchange->write(event));
    ++written;
    std::this_thread::sleep_for(1ms);
  }
  exchange->when_drained([&] { ++drained; });
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(drained, 1);
  for (std::size_t i = 0; i < written; ++i) EXPECT_FALSE(client.read_until("x\n\n").empty());
  EXPECT_TRUE(eventually([&] { return drained == 2; }));
  EXPECT_EQ(exchange->backlog(), 0u);
  exchange->close();
  kept.forget();
}

// One that does not read, a hundred that do: the writer never waits.
TEST(Waiting, ASlowReaderDelaysNoOtherClient) {
  Kept kept;
  Limits limits;
  limits.queued_bytes = 256 * 1024;
  TestServer server(kept.keeper(), limits);
  auto slow = server.connect(4096);
  slow.send(get("/"));
  kept.wait(0)->open_stream();
  std::vector<Client> readers;
  for (std::size_t i = 1; i <= 100; ++i) {
    readers.push_back(server.connect());
    readers.back().send(get("/"));
    kept.wait(i)->open_stream();
  }
  const auto event =
      std::make_shared<const std::string>("data: " + std::string(4096, 'y') + "\n\n");
  const auto began = std::chrono::steady_clock::now();
  bool cut = false;
  for (int round = 0; round < 2'000 && !cut; ++round) {
    for (std::size_t i = 1; i <= 100 && round < 20; ++i) {
      EXPECT_TRUE(kept.wait(i)->write(event));
    }
    cut = !kept.wait(0)->write(event) && round >= 20;
    if (round > 20) std::this_thread::sleep_for(100us);
  }
  EXPECT_TRUE(cut);
  EXPECT_LT(std::chrono::steady_clock::now() - began, 20s);
  for (auto& reader : readers) {
    for (int round = 0; round < 20; ++round) ASSERT_FALSE(reader.read_until("y\n\n").empty());
  }
  for (std::size_t i = 1; i <= 100; ++i) kept.wait(i)->close();
  kept.forget();
}

}  // namespace
}  // namespace gantry::host::http::testing::waiting_test

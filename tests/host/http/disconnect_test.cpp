// Clients that go too early.
#include <gtest/gtest.h>

#include "fixture.hpp"

namespace gantry::host::http::testing::disconnect_test {
namespace {

class Disconnect : public ::testing::Test {
 protected:
  static Limits quick() {
    Limits limits;
    limits.tick = 5ms;
    return limits;
  }
  OnRequest watching() {
    return [this](Request&& r, std::shared_ptr<Exchange> exchange) {
      exchange->on_disconnect([this] { ++gone_; });
      kept_.keeper()(std::move(r), std::move(exchange));
    };
  }
  bool gone_exactly_once() {
    bool came = eventually([&] { return gone_ == 1; });
    std::this_thread::sleep_for(30ms);
    return came && gone_ == 1;
  }

  Kept kept_;
  std::atomic<int> gone_{0};
  TestServer server_{watching(), quick()};
};

TEST_F(Disconnect, IsReportedOnceWhileAnAnswerIsPending) {
  auto client = server_.connect();
  client.send(get("/"));
  auto exchange = kept_.wait();
  client.close();
  EXPECT_TRUE(gone_exactly_once());
  EXPECT_FALSE(exchange->is_open());
  EXPECT_FALSE(exchange->reply(200, "text/plain", "too late"));
  EXPECT_EQ(server_->counters().active, 0u);
  kept_.forget();
}

TEST_F(Disconnect, ByResetIsReportedOnce) {
  auto client = server_.connect();
  client.send(get("/"));
  auto exchange = kept_.wait();
  client.reset();
  EXPECT_TRUE(gone_exactly_once());
  kept_.forget();
}

TEST_F(Disconnect, OnAStreamIsReportedOnce) {
  auto client = server_.connect();
  client.send(get("/"));
  auto exchange = kept_.wait();
  exchange->open_stream();
  exchange->write("data: 1\n\n");
  client.read_until("1\n\n");
  client.close();
  EXPECT_TRUE(gone_exactly_once());
  EXPECT_FALSE(exchange->write("data: 2\n\n"));
  kept_.forget();
}

// More requests wait than are read ahead: the end behind them is not seen by reading.
TEST_F(Disconnect, BehindManyPipelinedRequestsIsReportedOnce) {
  for (const bool stream : {false, true}) {
    gone_ = 0;
    auto client = server_.connect();
    client.send(get("/"));
    auto exchange = kept_.wait();
    if (stream) exchange->open_stream();
    std::string more;
    while (more.size() < 100 * 1024) more += get("/");
    client.send(more);
    client.close();
    EXPECT_TRUE(gone_exactly_once()) << (stream ? "stream" : "answer");
    exchange.reset();
    kept_.forget();
  }
}

TEST_F(Disconnect, WithUnreadInputBehindARequestIsReported) {
  auto client = server_.connect();
  client.send(get("/"));
  auto exchange = kept_.wait();
  exchange->open_stream();
  std::thread sender([&] { client.try_send(std::string(4 * 1024 * 1024, 'x')); });
  std::this_thread::sleep_for(50ms);
  client.shut_write();
  sender.join();
  client.reset();
  EXPECT_TRUE(gone_exactly_once());
  kept_.forget();
}

TEST_F(Disconnect, AfterACompleteAnswerIsNotReported) {
  {
    auto client = server_.connect();
    client.send(get("/"));
    kept_.wait()->reply(200, "text/plain", "x");
    client.read_response();
  }
  {
    auto client = server_.connect();
    client.send(get("/"));
    auto stream = kept_.wait(1);
    stream->open_stream();
    stream->close();
    client.read_response();
  }
  EXPECT_TRUE(eventually([&] { return server_->counters().connections == 0; }));
  EXPECT_EQ(gone_, 0);
  kept_.forget();
}

TEST_F(Disconnect, ACallbackSetTooLateIsStillCalled) {
  auto client = server_.connect();
  client.send(get("/"));
  auto exchange = kept_.wait();
  client.reset();
  EXPECT_TRUE(eventually([&] { return !exchange->is_open(); }));
  std::atomic<int> late{0};
  exchange->on_disconnect([&] { ++late; });
  EXPECT_TRUE(eventually([&] { return late == 1; }));
  kept_.forget();
}

TEST_F(Disconnect, AnExceptionInTheCallbackHarmsNoOtherConnection) {
  auto client = server_.connect();
  client.send(get("/"));
  auto exchange = kept_.wait();
  exchange->on_disconnect([] { throw std::runtime_error("callback"); });
  client.reset();
  EXPECT_TRUE(eventually([&] { return server_->counters().failures == 1; }));
  auto other = server_.connect();
  other.send(get("/"));
  kept_.wait(1)->reply(200, "text/plain", "x");
  EXPECT_EQ(other.read_response().status, 200);
  kept_.forget();
}

TEST(DisconnectCallback, MayHoldItsOwnExchange) {
  std::weak_ptr<Exchange> seen;
  TestServer server([&](Request&&, std::shared_ptr<Exchange> exchange) {
    seen = exchange;
    exchange->on_disconnect([exchange] {});
    exchange->reply(200, "text/plain", "x");
  });
  auto client = server.connect();
  client.send(get("/"));
  EXPECT_EQ(client.read_response().status, 200);
  EXPECT_TRUE(eventually([&] { return seen.expired(); }));
}

}  // namespace
}  // namespace gantry::host::http::testing::disconnect_test

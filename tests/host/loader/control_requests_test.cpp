#include "host/loader/control_requests.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace gantry::host::testing {
namespace {

TEST(ControlRequests, AreHandledOncePerKindThatIsQueued) {
  std::atomic<int> rescans = 0, collections = 0;
  auto requests = std::make_shared<ControlRequests>([&](ControlRequest request) {
    ++(request == ControlRequest::rescan ? rescans : collections);
  });
  ControlThread thread([] { return std::nullopt; });
  requests->attach(&thread);
  std::promise<void> go;
  thread.post([&] { go.get_future().wait(); });
  for (int i = 0; i < 5; ++i) requests->ask(ControlRequest::rescan);
  requests->ask(ControlRequest::collect);
  go.set_value();
  thread.run([] {});
  EXPECT_EQ(rescans, 1);
  EXPECT_EQ(collections, 1);
  requests->ask(ControlRequest::rescan);
  thread.run([] {});
  EXPECT_EQ(rescans, 2);
  requests->attach(nullptr);
}

TEST(ControlRequests, AreDroppedWithoutAThread) {
  int handled = 0;
  auto requests = std::make_shared<ControlRequests>([&](ControlRequest) { ++handled; });
  requests->ask(ControlRequest::collect);
  EXPECT_EQ(handled, 0);
}

TEST(ControlThread, RunsAgainAtTheTimeThatItWasGiven) {
  std::promise<void> again;
  int runs = 0;
  ControlThread thread([&]() -> std::optional<ControlThread::Time> {
    if (++runs == 2) again.set_value();
    if (runs > 1) return std::nullopt;
    return std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
  });
  thread.run([] {});
  EXPECT_EQ(again.get_future().wait_for(std::chrono::seconds(10)), std::future_status::ready);
}

}  // namespace
}  // namespace gantry::host::testing

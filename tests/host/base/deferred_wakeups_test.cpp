#include "host/base/deferred_wakeups.hpp"

#include <thread>

#include <gtest/gtest.h>

namespace gantry::host {
namespace {

class WakeCounter final : public Wakeable {
 public:
  void wake_up() noexcept override { ++woken; }
  int woken = 0;
};

TEST(DeferredWakeups, WakesEachQueueOnceAtItsEnd) {
  const auto one = std::make_shared<WakeCounter>(), two = std::make_shared<WakeCounter>();
  {
    const DeferredWakeups scope;
    EXPECT_TRUE(DeferredWakeups::defer(one));
    EXPECT_TRUE(DeferredWakeups::defer(two));
    EXPECT_TRUE(DeferredWakeups::defer(one));
    EXPECT_EQ(one->woken + two->woken, 0);
  }
  EXPECT_EQ(one->woken, 1);
  EXPECT_EQ(two->woken, 1);
}

TEST(DeferredWakeups, AnInnerScopeLeavesWakingToTheOuter) {
  const auto one = std::make_shared<WakeCounter>();
  {
    const DeferredWakeups outer;
    {
      const DeferredWakeups inner;
      EXPECT_TRUE(DeferredWakeups::defer(one));
    }
    EXPECT_EQ(one->woken, 0);
  }
  EXPECT_EQ(one->woken, 1);
}

TEST(DeferredWakeups, DefersNothingOutsideAScopeOrOnAnotherThread) {
  const auto one = std::make_shared<WakeCounter>();
  EXPECT_FALSE(DeferredWakeups::defer(one));
  const DeferredWakeups scope;
  std::thread([&] { EXPECT_FALSE(DeferredWakeups::defer(one)); }).join();
}

TEST(DeferredWakeups, KeepsTheQueuesAliveUntilTheyAreWoken) {
  auto one = std::make_shared<WakeCounter>();
  const std::weak_ptr<WakeCounter> watch = one;
  {
    const DeferredWakeups scope;
    EXPECT_TRUE(DeferredWakeups::defer(std::move(one)));
    EXPECT_FALSE(watch.expired());
  }
  EXPECT_TRUE(watch.expired());
}

}  // namespace
}  // namespace gantry::host

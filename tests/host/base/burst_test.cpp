#include "host/base/burst.hpp"

#include <thread>

#include <gtest/gtest.h>

namespace gantry::host {
namespace {

class Counter final : public Burst::Sleeper {
 public:
  void wake_up() noexcept override { ++woken; }
  int woken = 0;
};

TEST(Burst, WakesEachOnceAtItsEnd) {
  const auto one = std::make_shared<Counter>(), two = std::make_shared<Counter>();
  {
    const Burst burst;
    EXPECT_TRUE(Burst::put_off(one));
    EXPECT_TRUE(Burst::put_off(two));
    EXPECT_TRUE(Burst::put_off(one));
    EXPECT_EQ(one->woken + two->woken, 0);
  }
  EXPECT_EQ(one->woken, 1);
  EXPECT_EQ(two->woken, 1);
}

TEST(Burst, AnInnerOneLeavesWakingToTheOuter) {
  const auto one = std::make_shared<Counter>();
  {
    const Burst outer;
    {
      const Burst inner;
      EXPECT_TRUE(Burst::put_off(one));
    }
    EXPECT_EQ(one->woken, 0);
  }
  EXPECT_EQ(one->woken, 1);
}

TEST(Burst, PutsNothingOffWithoutOneOrOnAnotherThread) {
  const auto one = std::make_shared<Counter>();
  EXPECT_FALSE(Burst::put_off(one));
  const Burst burst;
  std::thread([&] { EXPECT_FALSE(Burst::put_off(one)); }).join();
}

TEST(Burst, KeepsWhomItWillWakeAlive) {
  auto one = std::make_shared<Counter>();
  const std::weak_ptr<Counter> watch = one;
  {
    const Burst burst;
    EXPECT_TRUE(Burst::put_off(std::move(one)));
    EXPECT_FALSE(watch.expired());
  }
  EXPECT_TRUE(watch.expired());
}

}  // namespace
}  // namespace gantry::host

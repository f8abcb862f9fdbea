#include "host/limits/call_rate.hpp"

#include <deque>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace gantry::host {
namespace {

struct RateClock final : Clock {
  Instant now() const override { return Instant(std::chrono::duration_cast<Duration>(at)); }
  std::chrono::duration<double> at{6000};
};

TEST(CallRate, LetsSoManyCallsThroughInAnyWindow) {
  RateClock clock;
  CallRate rate(clock);
  std::minstd_rand random(7);
  std::deque<double> passed;
  for (int i = 0; i < 5000; ++i) {
    clock.at += std::chrono::duration<double>(std::uniform_real_distribution<>(0, 0.5)(random));
    while (!passed.empty() && clock.at.count() - passed.front() >= 10) passed.pop_front();
    const bool may = passed.size() < 20;
    ASSERT_EQ(!rate.take("a", 20, 10), may) << i;
    if (may) passed.push_back(clock.at.count());
  }
}

TEST(CallRate, SaysWhenTheNextCallMayCome) {
  RateClock clock;
  CallRate rate(clock);
  EXPECT_FALSE(rate.take("a", 2, 60));
  clock.at += std::chrono::seconds(20);
  EXPECT_FALSE(rate.take("a", 2, 60));
  clock.at += std::chrono::seconds(10);
  const auto wait = rate.take("a", 2, 60);
  ASSERT_TRUE(wait);
  EXPECT_EQ(*wait, 30);
  clock.at += std::chrono::seconds(*wait);
  EXPECT_FALSE(rate.take("a", 2, 60));
  EXPECT_TRUE(rate.take("a", 2, 60));
}

TEST(CallRate, CountsCallersApart) {
  RateClock clock;
  CallRate rate(clock);
  EXPECT_FALSE(rate.take("a", 1, 60));
  EXPECT_TRUE(rate.take("a", 1, 60));
  EXPECT_FALSE(rate.take("b", 1, 60));
}

TEST(CallRate, HoldsALimitAboveTheExactOnesAcrossWindows) {
  RateClock clock;
  CallRate rate(clock);
  clock.at += std::chrono::seconds(59);
  int through = 0;
  for (int i = 0; i < 3000; ++i) through += rate.take("a", 2000, 60) ? 0 : 1;
  EXPECT_EQ(through, 2000);
  clock.at += std::chrono::seconds(2);  // the next window has hardly begun
  int more = 0;
  for (int i = 0; i < 3000; ++i) more += rate.take("a", 2000, 60) ? 0 : 1;
  EXPECT_LT(more, 100);
  clock.at += std::chrono::seconds(120);
  EXPECT_FALSE(rate.take("a", 2000, 60));
}

TEST(CallRate, TakesOverAChangedLimit) {
  RateClock clock;
  CallRate rate(clock);
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(rate.take("a", 5, 60));
  EXPECT_TRUE(rate.take("a", 3, 60));
  EXPECT_FALSE(rate.take("a", 6, 60)) << "the five calls still count";
  EXPECT_TRUE(rate.take("a", 6, 60));
}

TEST(CallRate, RefusesCallersBeyondItsBound) {
  RateClock clock;
  CallRate rate(clock);
  for (std::size_t i = 0; i < CallRate::kMaxCallers; ++i)
    ASSERT_FALSE(rate.take("caller" + std::to_string(i), 10, 60));
  const auto wait = rate.take("late", 10, 60);
  ASSERT_TRUE(wait);
  EXPECT_GE(*wait, 1);
  EXPECT_LE(*wait, 5);
  EXPECT_FALSE(rate.take("caller7", 10, 60)) << "a known one is counted on";
  clock.at += std::chrono::seconds(121);
  EXPECT_FALSE(rate.take("late", 10, 60)) << "expired callers make room";
}

}  // namespace
}  // namespace gantry::host

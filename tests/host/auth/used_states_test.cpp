// What a Sealer remembers of used states: bounded, and never forgotten too early.
#include <algorithm>
#include <atomic>
#include <barrier>
#include <functional>
#include <future>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fake_clock.hpp"
#include "host/auth/seal.hpp"

namespace gantry::host::used_states_test {
namespace {

using namespace std::chrono_literals;

Result<std::string> use(Sealer& sealer, const std::string& text) { return sealer.open("b", text); }

std::string sealed(const Sealer& sealer, Clock::Duration lifetime) {
  return sealer.seal("b", "p", lifetime).value();
}

TEST(UsedStates, AreForgottenWhenTheyExpire) {
  FakeClock clock;
  Sealer sealer(clock);
  for (int i = 1; i <= 100; ++i) ASSERT_TRUE(use(sealer, sealed(sealer, i * 1s)));
  EXPECT_EQ(sealer.remembered(), 100u);
  clock.advance(40s);
  EXPECT_EQ(sealer.remembered(), 60u);
  clock.advance(60s);
  EXPECT_EQ(sealer.remembered(), 0u);
}

TEST(UsedStates, AreNotRememberedWhenTheyWereRefused) {
  FakeClock clock;
  Sealer sealer(clock), other(clock);
  const std::string text = sealed(sealer, 1s);
  EXPECT_FALSE(sealer.open("another", text));
  EXPECT_FALSE(use(sealer, sealed(other, 1s)));
  EXPECT_FALSE(use(sealer, sealed(sealer, 0s)));
  EXPECT_EQ(sealer.remembered(), 0u);
}

TEST(UsedStates, MakeRoomByExpiringOnly) {
  FakeClock clock;
  Sealer sealer(clock, 4);  // two for one owner
  const std::string brief = sealed(sealer, 10s), lasting = sealed(sealer, 60s),
                    third = sealed(sealer, 60s);
  ASSERT_TRUE(use(sealer, lasting));
  ASSERT_TRUE(use(sealer, brief));
  const auto full = use(sealer, third);
  EXPECT_EQ(full.status().code(), GANTRY_BUSY);
  EXPECT_NE(full.message().find("try again later"), std::string::npos) << full.message();
  EXPECT_NE(use(sealer, brief).message().find("used before"), std::string::npos);
  clock.advance(10s);
  EXPECT_TRUE(use(sealer, third)) << "it was refused and so is unused";
  EXPECT_NE(use(sealer, lasting).message().find("used before"), std::string::npos);
  EXPECT_EQ(sealer.remembered(), 2u);
}

TEST(UsedStates, OfOneOwnerLeaveRoomForOthers) {
  FakeClock clock;
  Sealer sealer(clock, 100);
  const auto take = [&](std::string_view owner) {
    return sealer.open("b", sealed(sealer, 60s), owner);
  };
  int taken = 0;
  while (taken < 1000 && take("greedy")) ++taken;
  EXPECT_EQ(taken, 50);
  const std::string refused = sealed(sealer, 120s);
  const auto full = sealer.open("b", refused, "greedy");
  EXPECT_EQ(full.status().code(), GANTRY_BUSY);
  EXPECT_NE(full.message().find("This agent has used so many states"), std::string::npos);
  for (int i = 0; i < 25; ++i) EXPECT_TRUE(take("other")) << i;
  EXPECT_TRUE(take("third"));
  EXPECT_FALSE(take("greedy"));
  clock.advance(60s);
  EXPECT_TRUE(sealer.open("b", refused, "greedy")) << "it was refused and so is unused";
}

TEST(UsedStates, LetExactlyOneOfManyThreadsWin) {
  const SystemClock clock;
  Sealer sealer(clock);
  constexpr int kThreads = 6, kRounds = 200;
  std::vector<std::string> texts;
  for (int i = 0; i < kRounds; ++i) texts.push_back(sealed(sealer, 1h));
  std::vector<std::atomic<int>> wins(kRounds);
  std::barrier start(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (std::size_t i = 0; i < kRounds; ++i) {
        start.arrive_and_wait();
        if (use(sealer, texts[i])) ++wins[i];
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(std::count(wins.begin(), wins.end(), 1), kRounds);
  EXPECT_EQ(sealer.remembered(), static_cast<std::size_t>(kRounds));
}

// Lets something happen between looking at the clock and using what it said.
class InterruptedClock final : public Clock {
 public:
  Instant now() const override {
    const Instant seen(Duration{ticks_});
    if (const auto now_happens = std::exchange(happens, nullptr)) now_happens();
    return seen;
  }
  void advance(Duration by) { ticks_ += by.count(); }
  mutable std::function<void()> happens;

 private:
  std::atomic<Duration::rep> ticks_{0};
};

TEST(UsedStates, AreKeptWhileAThreadComparesThemWithAnEarlierTime) {
  InterruptedClock clock;
  Sealer sealer(clock);
  const std::string text = sealed(sealer, 10s);
  ASSERT_TRUE(use(sealer, text));
  std::future<std::size_t> left;
  clock.happens = [&] {
    clock.advance(10s);
    left = std::async(std::launch::async, [&] { return sealer.remembered(); });
    left.wait_for(50ms);  // it may have to wait for us
  };
  EXPECT_FALSE(use(sealer, text));
  EXPECT_EQ(left.get(), 0u);
}

TEST(UsedStates, AreUsedAtMostOnceWhileTimePasses) {
  FakeClock clock;
  Sealer sealer(clock);
  constexpr int kThreads = 4, kRounds = 300;
  std::vector<std::string> texts;
  for (int i = 0; i < kRounds; ++i) texts.push_back(sealed(sealer, (i + 1) * 1ms));
  std::vector<std::atomic<int>> wins(kRounds);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (std::size_t i = 0; i < kRounds; ++i) {
        if (use(sealer, texts[i])) ++wins[i];
        clock.advance(200us);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& count : wins) EXPECT_LE(count, 1);
  EXPECT_GE(std::count(wins.begin(), wins.end(), 1), 1);
}

TEST(UsedStates, HoldTheirBoundWhenManyThreadsUseThem) {
  const SystemClock clock;
  Sealer sealer(clock, 100);  // half of it for one owner
  std::atomic<int> good{0}, busy{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        const auto opened = use(sealer, sealed(sealer, 1h));
        good += opened.is_ok();
        busy += opened.status().code() == GANTRY_BUSY;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(good, 50);
  EXPECT_EQ(busy, 150);
  EXPECT_EQ(sealer.remembered(), 50u);
}

}  // namespace
}  // namespace gantry::host::used_states_test

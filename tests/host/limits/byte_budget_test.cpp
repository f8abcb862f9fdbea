#include "host/limits/byte_budget.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <thread>
#include <vector>

namespace gantry::host {
namespace {

using namespace std::chrono_literals;
using Progress = ByteBudget::Progress;

// A holder that counts its evictions. The callback owns the count: another thread may still call it
// after the holder was destroyed.
struct Client {
  explicit Client(const std::shared_ptr<ByteBudget>& budget,
                  Progress progress = Progress::by_growth)
      : share(budget, progress, [told = evictions] { ++*told; }) {}
  int told() const { return *evictions; }
  std::shared_ptr<std::atomic<int>> evictions = std::make_shared<std::atomic<int>>(0);
  ByteBudget::Share share;
};

TEST(ByteBudget, CountsTheBytesHeldNow) {
  const auto budget = std::make_shared<ByteBudget>(1000);
  {
    Client one(budget), other(budget);
    EXPECT_TRUE(one.share.hold(300));
    EXPECT_TRUE(other.share.hold(500));
    EXPECT_TRUE(one.share.hold(100));
    EXPECT_EQ(budget->held(), 600u);
    EXPECT_TRUE(other.share.hold(0));
    EXPECT_EQ(budget->held(), 100u);
  }
  EXPECT_EQ(budget->held(), 0u);
  EXPECT_EQ(budget->refused(), 0u);
}

TEST(ByteBudget, LetsTheOneThatHoldsMostGiveWay) {
  const auto budget = std::make_shared<ByteBudget>(1000);
  Client large(budget), small(budget), late(budget);
  EXPECT_TRUE(small.share.hold(100));
  EXPECT_TRUE(large.share.hold(800));
  EXPECT_TRUE(late.share.hold(200));
  EXPECT_EQ(large.told(), 1);
  EXPECT_EQ(small.told() + late.told(), 0);
  EXPECT_EQ(budget->held(), 300u);
  EXPECT_EQ(budget->refused(), 1u);
}

TEST(ByteBudget, RefusesTheOneThatAsksWhereItHoldsMost) {
  const auto budget = std::make_shared<ByteBudget>(1000);
  Client small(budget), greedy(budget);
  EXPECT_TRUE(small.share.hold(100));
  EXPECT_FALSE(greedy.share.hold(1000));
  EXPECT_EQ(greedy.told(), 0) << "the result of hold() reports its eviction";
  EXPECT_EQ(budget->held(), 100u);
  EXPECT_TRUE(greedy.share.hold(50)) << "it may begin anew";
}

TEST(ByteBudget, PrefersAHolderThatHasMadeNoProgressForLong) {
  const auto budget = std::make_shared<ByteBudget>(1000);
  Client idle(budget), busy(budget), late(budget);
  EXPECT_TRUE(idle.share.hold(300));
  EXPECT_TRUE(busy.share.hold(200));
  std::this_thread::sleep_for(100ms);
  EXPECT_TRUE(busy.share.hold(600));
  EXPECT_TRUE(late.share.hold(150));
  EXPECT_EQ(idle.told(), 1);
  EXPECT_EQ(busy.told(), 0);
}

TEST(ByteBudget, TakesADropForNoProgressAndReadingForSome) {
  const auto budget = std::make_shared<ByteBudget>(10'000);
  Client drips(budget), reads(budget, Progress::by_decrease), late(budget);
  EXPECT_TRUE(drips.share.hold(4000));
  EXPECT_TRUE(reads.share.hold(5500));
  std::this_thread::sleep_for(100ms);
  EXPECT_TRUE(drips.share.hold(4001));
  EXPECT_TRUE(reads.share.hold(5000));
  EXPECT_TRUE(late.share.hold(1500));
  EXPECT_EQ(drips.told(), 1);
  EXPECT_EQ(reads.told(), 0);
}

TEST(ByteBudget, TakesMoreUnreadOutputForNoProgress) {
  const auto budget = std::make_shared<ByteBudget>(1000);
  Client stuck(budget, Progress::by_decrease), large(budget, Progress::by_decrease), late(budget);
  EXPECT_TRUE(stuck.share.hold(200));
  std::this_thread::sleep_for(100ms);
  EXPECT_TRUE(stuck.share.hold(300));
  EXPECT_TRUE(large.share.hold(600));
  EXPECT_TRUE(late.share.hold(150));
  EXPECT_EQ(stuck.told(), 1);
  EXPECT_EQ(large.told(), 0);
}

TEST(ByteBudget, TakesATouchForProgress) {
  const auto budget = std::make_shared<ByteBudget>(1000);
  Client used(budget), left(budget), late(budget);
  EXPECT_TRUE(used.share.hold(400));
  EXPECT_TRUE(left.share.hold(300));
  std::this_thread::sleep_for(100ms);
  used.share.touch();
  EXPECT_TRUE(late.share.hold(350));
  EXPECT_EQ(left.told(), 1);
  EXPECT_EQ(used.told(), 0);
}

TEST(ByteBudget, AShareOfNoBudgetNeverGivesWay) {
  ByteBudget::Share share;
  EXPECT_TRUE(share.hold(std::size_t{1} << 60));
}

TEST(ByteBudget, MayBeCalledByAnEvictedHolder) {
  const auto budget = std::make_shared<ByteBudget>(1000);
  std::optional<ByteBudget::Share> large;
  large.emplace(budget, Progress::by_growth, [&] { large.reset(); });
  EXPECT_TRUE(large->hold(900));
  Client late(budget);
  EXPECT_TRUE(late.share.hold(200));
  EXPECT_FALSE(large);
  EXPECT_EQ(budget->held(), 200u);
}

TEST(ByteBudget, HoldsItsLimitUnderManyThreads) {
  const auto budget = std::make_shared<ByteBudget>(100'000);
  std::atomic<bool> above{false};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      std::vector<std::unique_ptr<Client>> clients(8);
      for (int i = 0; i < 3000; ++i) {
        auto& client = clients[random() % clients.size()];
        if (!client || random() % 10 == 0) client = std::make_unique<Client>(budget);
        client->share.hold(random() % 20'000);
      }
    });
  }
  std::thread watcher([&] {
    for (int i = 0; i < 1000; ++i) {
      if (budget->held() > 100'000 + 4 * 20'000) above = true;  // the ones being judged
    }
  });
  for (auto& thread : threads) thread.join();
  watcher.join();
  EXPECT_FALSE(above);
  EXPECT_EQ(budget->held(), 0u);
  EXPECT_GT(budget->refused(), 0u);
}

}  // namespace
}  // namespace gantry::host

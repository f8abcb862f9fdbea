#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "host/limits/gate.hpp"
#include "host/limits/pre_auth.hpp"

namespace gantry::host::limits_test {
namespace {

struct HandClock final : Clock {
  Instant now() const override { return Instant(std::chrono::duration_cast<Duration>(at)); }
  std::chrono::duration<double> at{6000};  // the beginning of a minute
};

TEST(PreAuthLimit, BlocksAfterSoManyFailuresInAMinute) {
  HandClock clock;
  PreAuthLimit limit(clock, 3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(limit.blocked("10.0.0.1"));
    limit.count("10.0.0.1");
  }
  EXPECT_TRUE(limit.blocked("10.0.0.1"));
  EXPECT_FALSE(limit.blocked("10.0.0.2"));
}

TEST(PreAuthLimit, GivesTheSecondsUntilTheNextAllowedTry) {
  HandClock clock;
  PreAuthLimit limit(clock, 3);
  clock.at += std::chrono::seconds(20);
  for (int i = 0; i < 6; ++i) limit.count("p");
  const auto wait = limit.blocked("p");
  ASSERT_TRUE(wait);
  EXPECT_GE(*wait, 1);
  clock.at += std::chrono::seconds(*wait - 2);
  EXPECT_TRUE(limit.blocked("p"));
  clock.at += std::chrono::seconds(3);
  EXPECT_FALSE(limit.blocked("p"));
}

TEST(PreAuthLimit, SlidesAcrossTheMinute) {
  HandClock clock;
  PreAuthLimit limit(clock, 10);
  clock.at += std::chrono::seconds(59);
  for (int i = 0; i < 10; ++i) limit.count("p");
  clock.at += std::chrono::seconds(2);  // the next minute has hardly begun
  limit.count("p");
  EXPECT_TRUE(limit.blocked("p"));
  clock.at += std::chrono::seconds(120);
  EXPECT_FALSE(limit.blocked("p"));
}

TEST(PreAuthLimit, VerifiesSoManySignaturesOfBlockedPeersInASecond) {
  HandClock clock;
  PreAuthLimit limit(clock, 1);
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t i = 0; i < PreAuthLimit::kMostSignatures; ++i) {
      EXPECT_TRUE(limit.may_verify()) << i;
    }
    EXPECT_FALSE(limit.may_verify());
    clock.at += std::chrono::milliseconds(900);
    EXPECT_FALSE(limit.may_verify());
    clock.at += std::chrono::milliseconds(100);
  }
}

TEST(PreAuthLimit, CountsAnIpv6NetworkAsOne) {
  HandClock clock;
  PreAuthLimit limit(clock, 2);
  limit.count("2001:db8::1");
  limit.count("2001:db8::2");
  EXPECT_TRUE(limit.blocked("2001:db8:0:0:ffff::3"));
  EXPECT_FALSE(limit.blocked("2001:db8:0:1::1"));
}

TEST(PreAuthLimit, CountsLatePeersTogetherToStaySmall) {
  HandClock clock;
  PreAuthLimit limit(clock, 2);
  for (std::size_t i = 0; i < PreAuthLimit::kMaxPeers; ++i) limit.count("peer" + std::to_string(i));
  EXPECT_FALSE(limit.blocked("late1"));
  limit.count("late1");
  limit.count("late2");
  EXPECT_TRUE(limit.blocked("late3"));   // all latecomers are counted together
  EXPECT_FALSE(limit.blocked("peer1"));  // a known peer is counted on its own
  clock.at += std::chrono::minutes(3);
  limit.count("late4");
  EXPECT_FALSE(limit.blocked("late4"));
}

TEST(PreAuthLimit, IsOffAtZero) {
  HandClock clock;
  PreAuthLimit limit(clock, 0);
  for (int i = 0; i < 100; ++i) limit.count("p");
  EXPECT_FALSE(limit.blocked("p"));
}

TEST(Gate, HasSoManyPlaces) {
  Gate gate(2);
  auto a = gate.enter();
  auto b = gate.enter();
  EXPECT_TRUE(a && b);
  EXPECT_FALSE(gate.enter());
  a = {};
  EXPECT_TRUE(gate.enter());
  EXPECT_EQ(gate.taken(), 1);
}

TEST(Gate, WithoutLimitIsAlwaysOpen) {
  Gate gate(0);
  std::vector<Gate::Place> places;
  for (int i = 0; i < 1000; ++i) places.push_back(gate.enter());
  EXPECT_TRUE(places.back());
}

TEST(Gate, NeverLetsInMoreThanItsLimit) {
  Gate gate(3);
  std::atomic<int> inside{0}, most{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) {
        const auto place = gate.enter();
        if (!place) continue;
        const int now = ++inside;
        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
        }
        --inside;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_LE(most, 3);
  EXPECT_EQ(gate.taken(), 0);
}

}  // namespace
}  // namespace gantry::host::limits_test

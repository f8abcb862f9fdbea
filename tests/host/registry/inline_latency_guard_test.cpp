// When an item that promised to be quick is taken at its word no more.
#include "host/registry/inline_latency_guard.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

namespace gantry::host {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

TEST(InlineLatencyGuard, IsTooMuchAfterThreeSlowCallsAndIsSaidOnce) {
  InlineLatencyGuard slowness;
  EXPECT_FALSE(slowness.count(2ms));
  EXPECT_FALSE(slowness.count(10us));
  EXPECT_FALSE(slowness.count(2ms));
  EXPECT_FALSE(slowness.is_too_much());
  EXPECT_TRUE(slowness.count(2ms)) << "a quick call or two among them make no difference";
  EXPECT_TRUE(slowness.is_too_much());
  EXPECT_FALSE(slowness.count(2ms));
}

TEST(InlineLatencyGuard, IsForgottenOverManyQuickCalls) {
  InlineLatencyGuard slowness;
  for (int round = 0; round < 20; ++round) {
    EXPECT_FALSE(slowness.count(5ms));
    for (int i = 0; i < 1000; ++i) EXPECT_FALSE(slowness.count(10us));
  }
  EXPECT_FALSE(slowness.is_too_much());
}

// Spends that much of the processor's time.
void work(std::chrono::nanoseconds much) {
  const auto used = [] {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  };
  for (const auto before = used(); used() - before < much;) {
  }
}

TEST(InlineLatencyGuard, CountsWorkAndWaitingAtAllTimes) {
  InlineLatencyGuard fresh, watched;
  watched.count(2ms);
  for (const InlineLatencyGuard* slowness : {&fresh, &watched}) {
    const InlineLatencyGuard::Sample waiting(*slowness);
    std::this_thread::sleep_for(2ms);
    EXPECT_GE(waiting.took(), 2ms);
    const InlineLatencyGuard::Sample working(*slowness);
    work(2ms);
    EXPECT_GE(working.took(), 2ms);
  }
}

// Another thread takes turns with this one on one processor: what this one is kept from running is
// not counted.
TEST(InlineLatencyGuard, DoesNotCountTurnsOfOthers) {
  cpu_set_t before, one;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  CPU_SET(::sched_getcpu(), &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  std::atomic<bool> over{false};
  std::thread other([&] {
    while (!over) {
    }
  });
  InlineLatencyGuard watched;
  watched.count(2ms);
  bool interrupted = false;
  for (const auto end = Clock::now() + 30s; !interrupted && Clock::now() < end;) {
    const auto began = Clock::now();
    const InlineLatencyGuard::Sample stretch(watched);
    work(100us);
    const auto took = stretch.took();
    interrupted = Clock::now() - began > 2ms && took < 1ms;
  }
  over = true;
  other.join();
  ::sched_setaffinity(0, sizeof before, &before);
  EXPECT_TRUE(interrupted);
}

}  // namespace
}  // namespace gantry::host

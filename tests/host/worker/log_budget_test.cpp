#include "host/worker/log_budget.hpp"

#include <gtest/gtest.h>

#include "tests/host/auth/fake_clock.hpp"

namespace gantry::host {
namespace {

using namespace std::chrono_literals;
using Verdict = LogBudget::Verdict;

struct Budget : testing::Test {
  FakeClock clock;
  LogBudget budget{1000, clock};

  int kept(int lines, std::size_t bytes) {
    int out = 0;
    for (int i = 0; i < lines; ++i) out += budget.take(bytes) == Verdict::keep ? 1 : 0;
    return out;
  }
};

TEST_F(Budget, KeepsFourSecondsWorthAtOnce) {
  EXPECT_EQ(kept(100, 36), 40) << "a line costs 64 bytes more";
  EXPECT_TRUE(budget.owes());
}

TEST_F(Budget, FillsWithTimeAndNoFurther) {
  kept(100, 36);
  clock.advance(1s);
  EXPECT_EQ(kept(100, 36), 10);
  clock.advance(3600s);
  EXPECT_EQ(kept(100, 36), 40);
}

TEST_F(Budget, ReportsDroppedLinesOnceAnInterval) {
  EXPECT_EQ(budget.dropped(false), "");
  kept(43, 36);
  const std::string sentence =
      "it logs more than 1000 bytes a second (worker.log_bytes_per_second); 3 lines (108 bytes) "
      "are not shown";
  EXPECT_EQ(budget.dropped(false), sentence);
  EXPECT_FALSE(budget.owes());
  kept(3, 36);
  EXPECT_EQ(budget.dropped(false), "") << "the interval is not over";
  EXPECT_EQ(budget.dropped(true), sentence);
  clock.advance(1s);
  kept(13, 36);
  EXPECT_EQ(budget.dropped(false), sentence);
}

TEST_F(Budget, TellsTheFirstLineThatIsDropped) {
  kept(40, 36);
  EXPECT_EQ(budget.take(36), Verdict::first_drop);
  EXPECT_EQ(budget.take(36), Verdict::drop);
}

TEST_F(Budget, OfZeroIsNone) {
  LogBudget any(0, clock);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(any.take(1 << 20), Verdict::keep);
}

}  // namespace
}  // namespace gantry::host

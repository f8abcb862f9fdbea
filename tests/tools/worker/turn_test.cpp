#include "tools/worker/turn.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <semaphore>
#include <thread>
#include <vector>

namespace gantry::worker {
namespace {

using namespace std::chrono_literals;

// A second reader: releases `has` when it has the turn, and gives the turn away after `go`.
class Other {
 public:
  explicit Other(Turn& turn) : turn_(turn) {
    turn.expect();
    thread_ = std::thread([this] {
      turn_.take();
      has.release();
      go.acquire();
      turn_.give();
    });
  }
  ~Other() {
    go.release();
    thread_.join();
  }
  Other(const Other&) = delete;
  Other& operator=(const Other&) = delete;

  std::counting_semaphore<2> has{0}, go{0};

 private:
  Turn& turn_;
  std::thread thread_;
};

class TurnTest : public ::testing::Test {
 protected:
  void SetUp() override {
    turn_.expect();
    turn_.take();
  }
  Turn turn_;
};

TEST_F(TurnTest, IsKeptWhenNoOtherThreadIsExpected) {
  EXPECT_FALSE(turn_.give());
  EXPECT_EQ(turn_.lend(), 0U);
  turn_.expect();
  EXPECT_TRUE(turn_.give());
}

TEST_F(TurnTest, IsGivenToAWaitingThread) {
  Other other(turn_);
  ASSERT_TRUE(turn_.give());
  EXPECT_TRUE(other.has.try_acquire_for(20s));
  turn_.expect();
}

TEST_F(TurnTest, ComesBackFromAShortLoan) {
  Other other(turn_);
  for (int i = 0; i < 1000; ++i) {
    const Turn::Loan loan = turn_.lend();
    ASSERT_NE(loan, 0U);
    if (!turn_.take_back(loan)) {
      // The machine paused this thread for too long, so the other thread took the turn.
      ASSERT_TRUE(other.has.try_acquire_for(20s));
      other.go.release();
      turn_.expect();
      turn_.take();
      return;
    }
  }
  EXPECT_FALSE(other.has.try_acquire());
  ASSERT_TRUE(turn_.give());
  EXPECT_TRUE(other.has.try_acquire_for(20s)) << "a loan that is over is none";
  turn_.expect();
}

TEST_F(TurnTest, ALongLoanGivesItToAWaitingThread) {
  Other other(turn_);
  const Turn::Loan loan = turn_.lend();
  ASSERT_NE(loan, 0U);
  ASSERT_TRUE(other.has.try_acquire_for(20s));
  EXPECT_FALSE(turn_.take_back(loan));
  turn_.expect();
}

// A waiting thread sleeps while the turn is not lent; the first loan wakes it.
TEST_F(TurnTest, ALongLoanGivesItToAThreadThatHasWaitedForLong) {
  Other other(turn_);
  std::this_thread::sleep_for(20ms);
  const Turn::Loan first = turn_.lend();
  if (!turn_.take_back(first)) return;  // the machine paused this thread; the loan was long
  std::this_thread::sleep_for(20ms);
  const Turn::Loan second = turn_.lend();
  ASSERT_TRUE(other.has.try_acquire_for(20s));
  EXPECT_FALSE(turn_.take_back(second));
  turn_.expect();
}

TEST_F(TurnTest, ALoanEndsAtOnceByCallIn) {
  turn_.call_in();  // nothing is lent
  EXPECT_FALSE(turn_.give());
  turn_.expect();
  const Turn::Loan loan = turn_.lend();
  ASSERT_NE(loan, 0U);
  turn_.call_in();  // no thread waits yet: the next take() gets the turn
  turn_.take();
  EXPECT_FALSE(turn_.take_back(loan));
  EXPECT_FALSE(turn_.give()) << "the lender is expected no more";
}

TEST_F(TurnTest, AnOldLoanDoesNotEndANewOne) {
  turn_.expect();
  const Turn::Loan old = turn_.lend();
  turn_.call_in();
  turn_.take();
  turn_.expect();
  const Turn::Loan loan = turn_.lend();
  EXPECT_FALSE(turn_.take_back(old));
  EXPECT_TRUE(turn_.take_back(loan));
}

TEST(Turn, HasOneHolderUnderRandomUse) {
  constexpr int kThreads = 4, kRounds = 2000;
  Turn turn;
  std::atomic<int> having = 0, left = kThreads * kRounds;
  int rounds = 0;  // changed by the holder only
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) turn.expect();
  for (unsigned seed = 0; seed < kThreads; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937 random(seed);
      turn.take();
      while (left.fetch_sub(1) > 0) {
        EXPECT_EQ(having.fetch_add(1), 0);
        ++rounds;
        having.fetch_sub(1);
        const Turn::Loan loan = random() % 2 == 0 ? turn.lend() : 0;
        if (loan == 0 && !turn.give()) continue;
        if (random() % 300 == 0) std::this_thread::sleep_for(5ms);
        if (loan != 0 && random() % 4 == 0) turn.call_in();
        if (loan != 0 && turn.take_back(loan)) continue;
        turn.expect();
        turn.take();
      }
      turn.expect();  // the threads that still wait
      EXPECT_TRUE(turn.give());
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(rounds, kThreads * kRounds);
}

}  // namespace
}  // namespace gantry::worker

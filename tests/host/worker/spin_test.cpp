#include "host/worker/spin.hpp"

#include <gtest/gtest.h>

namespace gantry::host::worker {
namespace {

using namespace std::chrono_literals;

class Spin : public ::testing::Test {
 protected:
  // A call that is made after `gap` and answered in `took`, or by others after the look.
  Look call(std::chrono::microseconds gap, std::chrono::microseconds took) {
    now_ += gap;
    const Look look = policy_.next_call(now_);
    ++calls_;
    if (look.here.count() == 0) {
      now_ += took;
    } else if (took <= look.here) {
      now_ += took;
      policy_.found(now_);
    } else {
      now_ += look.here;
      spent_ += look.here;
      policy_.missed(now_);
      now_ += took - look.here;
    }
    if (look.here.count() > 0) ++looks_;
    return look;
  }
  void go_on(int calls) {
    for (int i = 0; i < calls; ++i) call(5us, 5us);
  }

  SpinPolicy policy_{2};
  SpinPolicy::Time now_{1h};
  std::chrono::nanoseconds spent_{0};  // in vain
  int calls_ = 0, looks_ = 0;
};

TEST_F(Spin, BeginsWithALongLookAndGoesOnWithShortOnes) {
  const Look first = call(0us, 60us);
  EXPECT_GE(first.here, 100us) << "it takes as long to wake somebody";
  EXPECT_GE(first.there, 100us);
  const Look second = call(5us, 5us);
  EXPECT_LT(second.here, first.here);
  EXPECT_LT(second.there, first.there);
  EXPECT_GT(second.here, 0us);
  EXPECT_GT(second.there, 0us);
}

TEST_F(Spin, GoesOnAfterOneFailureWithALongLook) {
  go_on(20);
  const Look usual = call(5us, 5us);
  call(5us, 1ms);
  const Look next = call(5us, 60us);
  EXPECT_GT(next.here, usual.here) << "the worker sleeps by now";
  go_on(20);
  EXPECT_EQ(call(5us, 5us).here, usual.here);
}

TEST_F(Spin, StopsWhereAnswersTakeTime) {
  for (int i = 0; i < 10'000; ++i) call(5us, 1ms);  // for ten seconds
  EXPECT_LE(spent_, (now_ - SpinPolicy::Time(1h)) / 100) << "1 % of the time";
  EXPECT_GT(looks_, 50) << "it is tried again";
}

TEST_F(Spin, StopsWhereCallsComeTooLateForTheWorker) {
  for (int i = 0; i < 10'000; ++i) call(1ms, 10us);
  EXPECT_LT(looks_, 500) << "of " << calls_;
  EXPECT_GT(looks_, 50);
}

TEST_F(Spin, IsTriedAtMostEveryFourMilliseconds) {
  call(0us, 1ms);
  const auto start = now_;
  while (call(10us, 300us).here == 0us) ASSERT_LT(now_ - start, 1s);
  EXPECT_GE(now_ - start, 2ms);
  EXPECT_LE(now_ - start, 5ms);
}

TEST_F(Spin, ComesBackSoonAfterItHasPaidForSomeTime) {
  for (int i = 0; i < 1000; ++i) call(5us, 1ms);
  while (call(5us, 5us).here == 0us) continue;
  go_on(20);
  call(5us, 1ms);
  call(5us, 1ms);
  call(5us, 1ms);
  const auto start = now_;
  while (call(10us, 5us).here == 0us) ASSERT_LT(now_ - start, 5ms);
}

TEST_F(Spin, NeedsASecondProcessor) {
  SpinPolicy alone(1);
  EXPECT_EQ(alone.next_call(now_).here, 0us);
  EXPECT_EQ(alone.next_call(now_).there, 0us);
}

}  // namespace
}  // namespace gantry::host::worker

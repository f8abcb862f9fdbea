// The phases of a call: it ends once, and its plugin may use it from its entry to its end.
#include "sdk/contract/call_state.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <thread>

namespace gantry::contract::call_state_test {
namespace {

using Phase = CallState::Phase;
using Return = CallState::Return;

TEST(CallState, EndsWithTheStatusThatInvokeReturns) {
  CallState state;
  EXPECT_EQ(state.phase(), Phase::free);
  EXPECT_FALSE(state.is_inside());
  state.enter();
  EXPECT_TRUE(state.is_inside());
  EXPECT_FALSE(state.is_over());
  EXPECT_EQ(state.left(GANTRY_NOT_FOUND), Return::ends);
  EXPECT_FALSE(state.is_inside());
  EXPECT_TRUE(state.is_over());
  state.reset();
  EXPECT_EQ(state.phase(), Phase::free);
  EXPECT_FALSE(state.is_over());
}

TEST(CallState, WaitsForFinishAfterPending) {
  CallState state;
  state.enter();
  EXPECT_EQ(state.left(GANTRY_PENDING), Return::pending);
  EXPECT_TRUE(state.is_inside());
  EXPECT_TRUE(state.finish());
  EXPECT_TRUE(state.is_over());
  EXPECT_FALSE(state.finish());
  EXPECT_EQ(state.broken_by_finish(), "called finish() twice");
}

TEST(CallState, TakesAFinishBeforeTheReturn) {
  CallState state;
  state.enter();
  EXPECT_TRUE(state.finish());
  EXPECT_EQ(state.left(GANTRY_PENDING), Return::finished);
  EXPECT_EQ(state.phase(), Phase::finished);
}

TEST(CallState, RefusesAnotherStatusAfterFinish) {
  CallState state;
  state.enter();
  EXPECT_TRUE(state.finish());
  EXPECT_EQ(state.left(GANTRY_OK), Return::misuse);
}

TEST(CallState, RefusesFinishOfACallThatIsNotInside) {
  CallState state;
  EXPECT_FALSE(state.finish());
  state.end_outside();
  EXPECT_TRUE(state.is_over());
  EXPECT_FALSE(state.finish());
  EXPECT_EQ(state.broken_by_finish(), kFinishedAndReturned);
}

TEST(CallState, EndsOnceWhenFinishAndReturnRace) {
  for (int round = 0; round < 2000; ++round) {
    CallState state;
    state.enter();
    std::atomic<int> ends{0};
    std::thread finisher([&] { ends += state.finish() ? 1 : 0; });
    std::thread other([&] { ends += state.finish() ? 1 : 0; });
    ends += state.left(round % 2 == 0 ? GANTRY_OK : GANTRY_PENDING) == Return::ends ? 1 : 0;
    finisher.join();
    other.join();
    ASSERT_EQ(ends, 1);
    ASSERT_TRUE(state.is_over());
  }
}

TEST(CallUse, RefusesUseWithoutACall) {
  const CallUse none;
  EXPECT_TRUE(none.is_misuse());
  EXPECT_EQ(none.status(), GANTRY_MISUSE);
  EXPECT_EQ(none.run([] { return GANTRY_OK; }), GANTRY_MISUSE);
  EXPECT_EQ(none.cancelled(), 1);
  EXPECT_EQ(none.on_cancel([](void*) {}, nullptr), GANTRY_MISUSE);
  EXPECT_EQ(none.off_cancel([](void*) {}, nullptr), GANTRY_MISUSE);
}

TEST(CallUse, RefusesEveryWriteToACancelledCall) {
  CallTree tree;
  const CallUse use(tree, &tree);
  EXPECT_EQ(use.run([] { return GANTRY_BUSY; }), GANTRY_BUSY);
  EXPECT_EQ(use.cancelled(), 0);
  ASSERT_TRUE(tree.mark(TreeState::timed_out));
  EXPECT_EQ(use.status(), GANTRY_CANCELLED);
  EXPECT_EQ(use.run([] { return GANTRY_OK; }), GANTRY_CANCELLED);
  EXPECT_EQ(use.cancelled(), 0) << "a thread that polls overtakes its callbacks";
  tree.run_callbacks();
  EXPECT_EQ(use.cancelled(), 1);
}

TEST(CallUse, LetsNoExceptionOut) {
  CallTree tree;
  const CallUse use(tree, &tree);
  EXPECT_EQ(use.run([]() -> gantry_status { throw std::bad_alloc(); }), GANTRY_FAILED);
}

TEST(CallUse, HasEightCallbacks) {
  CallTree tree;
  const CallUse use(tree, &tree);
  EXPECT_EQ(use.on_cancel(nullptr, nullptr), GANTRY_MISUSE);
  EXPECT_EQ(use.off_cancel(nullptr, nullptr), GANTRY_MISUSE);
  int runs = 0;
  const auto count = [](void* context) { ++*static_cast<int*>(context); };
  for (int i = 0; i < kMaxCancelCallbacks; ++i) EXPECT_EQ(use.on_cancel(count, &runs), GANTRY_OK);
  EXPECT_EQ(use.on_cancel(count, &runs), GANTRY_TOO_BIG);
  EXPECT_EQ(use.off_cancel(count, &runs), GANTRY_OK);
  ASSERT_TRUE(tree.mark(TreeState::cancelled));
  tree.run_callbacks();
  EXPECT_EQ(runs, kMaxCancelCallbacks - 1);
  EXPECT_EQ(use.on_cancel(count, &runs), GANTRY_OK);
  EXPECT_EQ(runs, kMaxCancelCallbacks) << "it has happened, so it is called at once";
}

}  // namespace
}  // namespace gantry::contract::call_state_test

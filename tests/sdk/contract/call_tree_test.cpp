// The shared cancellation state: which callbacks run, and in which order.
#include "sdk/contract/call_tree.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace gantry::contract {
namespace {

struct Callback {
  CallTree* tree;
  bool told = false;
  static void fired(void* context) {
    auto& self = *static_cast<Callback*>(context);
    self.told = self.tree->callbacks_started();
  }
};

TEST(CallTree, ShowsAPollingCallWhenItsCallbacksRun) {
  CallTree tree;
  Callback callback{&tree};
  ASSERT_EQ(tree.on_cancel(&tree, &Callback::fired, &callback), GANTRY_OK);
  ASSERT_TRUE(tree.mark(TreeState::cancelled));
  EXPECT_TRUE(tree.is_cancelled());
  EXPECT_FALSE(tree.callbacks_started());
  tree.run_callbacks();
  EXPECT_TRUE(callback.told) << "a callback that wakes a thread which polls is not believed";
  EXPECT_TRUE(tree.callbacks_started());
  tree.reset();
  EXPECT_FALSE(tree.callbacks_started());
}

TEST(CallTree, ShowsAPollingCallTheEndWithoutCallbacks) {
  CallTree tree;
  ASSERT_TRUE(tree.mark(TreeState::timed_out));
  EXPECT_FALSE(tree.mark(TreeState::cancelled));
  tree.run_callbacks();
  EXPECT_TRUE(tree.callbacks_started());
}

TEST(CallTree, RunsNoCallbackThatWasTakenBackAfterItsDeath) {
  CallTree tree;
  Callback callback{&tree};
  ASSERT_EQ(tree.on_cancel(&tree, &Callback::fired, &callback), GANTRY_OK);
  ASSERT_TRUE(tree.mark(TreeState::cancelled));
  std::thread other(
      [&] { EXPECT_EQ(tree.off_cancel(&tree, &Callback::fired, &callback), GANTRY_OK); });
  other.join();
  tree.run_callbacks();
  EXPECT_FALSE(callback.told) << "it was called";
}

TEST(CallTree, OffCancelWaitsForARunningCallback) {
  CallTree tree;
  struct Slow {
    std::atomic<bool> running{false}, over{false};
    static void fired(void* context) {
      auto& self = *static_cast<Slow*>(context);
      self.running = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      self.over = true;
    }
  } slow;
  ASSERT_EQ(tree.on_cancel(&tree, &Slow::fired, &slow), GANTRY_OK);
  ASSERT_TRUE(tree.mark(TreeState::cancelled));
  std::thread other([&] {
    while (!tree.callbacks_started() || !slow.running) std::this_thread::yield();
    EXPECT_EQ(tree.off_cancel(&tree, &Slow::fired, &slow), GANTRY_NOT_FOUND);
    EXPECT_TRUE(slow.over);
  });
  tree.run_callbacks();
  other.join();
}

}  // namespace
}  // namespace gantry::contract

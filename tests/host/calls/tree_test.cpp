// The end that calls share: who hears of it, and in which order.
#include "host/calls/tree.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace gantry::host {
namespace {

struct Callback {
  CallTree* tree;
  bool told = false;
  static void fired(void* context) {
    auto& self = *static_cast<Callback*>(context);
    self.told = self.tree->told();
  }
};

TEST(CallTree, TellsWhoPollsWhenItsCallbacksRun) {
  CallTree tree;
  Callback callback{&tree};
  ASSERT_EQ(tree.on_cancel(&tree, &Callback::fired, &callback), GANTRY_OK);
  ASSERT_TRUE(tree.mark(Death::cancelled));
  EXPECT_TRUE(tree.dead());
  EXPECT_FALSE(tree.told());
  tree.run_callbacks();
  EXPECT_TRUE(callback.told) << "a callback that wakes a thread which polls is not believed";
  EXPECT_TRUE(tree.told());
  tree.reset();
  EXPECT_FALSE(tree.told());
}

TEST(CallTree, TellsWhoPollsWhenNobodyRegistered) {
  CallTree tree;
  ASSERT_TRUE(tree.mark(Death::timed_out));
  EXPECT_FALSE(tree.mark(Death::cancelled));
  tree.run_callbacks();
  EXPECT_TRUE(tree.told());
}

TEST(CallTree, RunsNoCallbackThatWasTakenBackAfterItsDeath) {
  CallTree tree;
  Callback callback{&tree};
  ASSERT_EQ(tree.on_cancel(&tree, &Callback::fired, &callback), GANTRY_OK);
  ASSERT_TRUE(tree.mark(Death::cancelled));
  std::thread other(
      [&] { EXPECT_EQ(tree.off_cancel(&tree, &Callback::fired, &callback), GANTRY_OK); });
  other.join();
  tree.run_callbacks();
  EXPECT_FALSE(callback.told) << "it was called";
}

TEST(CallTree, LetsWhoPollsTakeBackOnlyWhatHasRun) {
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
  ASSERT_TRUE(tree.mark(Death::cancelled));
  std::thread other([&] {
    while (!tree.told() || !slow.running) std::this_thread::yield();
    EXPECT_EQ(tree.off_cancel(&tree, &Slow::fired, &slow), GANTRY_NOT_FOUND);
    EXPECT_TRUE(slow.over);
  });
  tree.run_callbacks();
  other.join();
}

}  // namespace
}  // namespace gantry::host

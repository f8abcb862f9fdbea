// The end that calls share: who hears of it, and in which order.
#include "host/calls/tree.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace gantry::host {
namespace {

struct Callback {
  CallTree* tree;
  bool told = true;
  static void fired(void* context) {
    auto& self = *static_cast<Callback*>(context);
    self.told = self.tree->told();
  }
};

TEST(CallTree, TellsWhoPollsOnlyAfterWhoRegistered) {
  CallTree tree;
  Callback callback{&tree};
  ASSERT_EQ(tree.on_cancel(&tree, &Callback::fired, &callback), GANTRY_OK);
  ASSERT_TRUE(tree.mark(Death::cancelled));
  EXPECT_TRUE(tree.dead());
  EXPECT_FALSE(tree.told());
  tree.run_callbacks();
  EXPECT_FALSE(callback.told);
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
  EXPECT_TRUE(callback.told) << "it was not called";
}

}  // namespace
}  // namespace gantry::host

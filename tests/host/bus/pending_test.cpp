#include "host/bus/pending.hpp"

#include <gtest/gtest.h>

namespace gantry::host::pending_test {
namespace {

std::string all_of(Pending& pending) {
  std::string out;
  while (!pending.empty()) out += pending.take();
  return out;
}

TEST(Pending, KeepsTheOrderInWhichThingsCame) {
  Pending pending(3);
  for (const char* text : {"c", "a", "b"}) EXPECT_TRUE(pending.put(text, text));
  EXPECT_EQ(all_of(pending), "cab");
}

TEST(Pending, ReplacesAWaitingMessageOfTheSameKeyInItsPlace) {
  Pending pending(3);
  pending.put("a", "1");
  pending.put("b", "2");
  EXPECT_TRUE(pending.put("a", "3"));
  EXPECT_EQ(pending.size(), 2u);
  EXPECT_EQ(all_of(pending), "32");
}

TEST(Pending, TakesAKeyAnewOnceItsMessageIsGone) {
  Pending pending(1);
  pending.put("a", "1");
  EXPECT_EQ(pending.take(), "1");
  EXPECT_TRUE(pending.put("a", "2"));
  EXPECT_EQ(all_of(pending), "2");
}

TEST(Pending, RefusesAnotherKeyWhenItIsFullButStillMerges) {
  Pending pending(2);
  pending.put("a", "1");
  pending.put("b", "2");
  EXPECT_FALSE(pending.put("c", "3"));
  EXPECT_TRUE(pending.put("b", "4"));
  EXPECT_EQ(all_of(pending), "14");
}

TEST(Pending, ForgetsAllThatWaits) {
  Pending pending(1);
  pending.put("a", "1");
  pending.clear();
  EXPECT_TRUE(pending.empty());
  EXPECT_TRUE(pending.put("b", "2"));
}

}  // namespace
}  // namespace gantry::host::pending_test

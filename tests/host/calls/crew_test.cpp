#include "host/calls/crew.hpp"

#include <gtest/gtest.h>

namespace gantry::host::crew_test {
namespace {

// A pool of four threads, two extra and eight for relief, of which `working` work and `waiting` of
// these wait.
Crew crew(unsigned working, unsigned waiting = 0) {
  return {{.threads = 4, .extra = 2, .relief = 8}, working, 0, 0, working, waiting};
}

TEST(Crew, ThePoolsOwnThreadsTakePiecesOfEveryGroup) {
  EXPECT_TRUE(crew(3).may_begin(100));
  EXPECT_FALSE(crew(4).may_begin(100));
  EXPECT_TRUE(crew(5, 2).may_begin(100)) << "two of the five wait";
}

TEST(Crew, ReliefIsForGroupsBelowHalf) {
  EXPECT_TRUE(crew(4).may_begin(0));
  EXPECT_TRUE(crew(4).may_begin(1));
  EXPECT_FALSE(crew(4).may_begin(2));
}

TEST(Crew, AGroupThatHasSomethingUnderWayUsesHalfOfTheRelief) {
  EXPECT_TRUE(crew(7).may_begin(1));
  EXPECT_FALSE(crew(8).may_begin(1));
  EXPECT_TRUE(crew(11).may_begin(0));
  EXPECT_FALSE(crew(12).may_begin(0));
  EXPECT_EQ(crew(7).relieved_below(), 2u);
  EXPECT_EQ(crew(8).relieved_below(), 1u);
  EXPECT_EQ(crew(12).relieved_below(), 0u);
}

TEST(Crew, ThreadsThatWaitDoNotUseUpTheRelief) {
  EXPECT_TRUE(crew(6, 6).may_begin(0));
  EXPECT_TRUE(crew(5, 5).may_begin(100));
  EXPECT_FALSE(crew(6, 6).may_begin(100)) << "all that may wait do; the relief is for others";
  EXPECT_EQ(crew(7, 7).relieved_below(), 2u);
  EXPECT_EQ(crew(14, 14).relieved_below(), 0u) << "eight more than the pool's own and its extra";
}

TEST(Crew, AThreadThatWaitsIsReplacedUpToTheBound) {
  EXPECT_FALSE(crew(4).lacks_replacement());
  EXPECT_TRUE(crew(4, 1).lacks_replacement());
  EXPECT_TRUE(crew(5, 5).lacks_replacement());
  EXPECT_FALSE(crew(6, 6).lacks_replacement());
  Crew idle = crew(4, 1);
  idle.alive = 5;
  idle.idle = 1;
  EXPECT_FALSE(idle.lacks_replacement());
}

TEST(Crew, OverdueGroupsGetThreadsUpToTheBound) {
  EXPECT_EQ(crew(4).lacks_relief(0), 0u);
  EXPECT_EQ(crew(4).lacks_relief(3), 3u);
  EXPECT_EQ(crew(4).lacks_relief(100), 10u) << "extra ones that nothing waits in serve as well";
  EXPECT_EQ(crew(14, 6).lacks_relief(1), 0u);
  Crew starting = crew(4);
  starting.alive = 6;
  starting.starting = 2;
  EXPECT_EQ(starting.lacks_relief(3), 1u);
}

TEST(Crew, APoolOfOneThreadAndWithoutReliefKeepsToIt) {
  const Crew lone{{.threads = 1, .extra = 0, .relief = 0}, 1, 0, 0, 1, 0};
  EXPECT_FALSE(lone.may_begin(0));
  EXPECT_EQ(lone.lacks_relief(5), 0u);
  const Crew relieved{{.threads = 1, .extra = 0, .relief = 1}, 1, 0, 0, 1, 0};
  EXPECT_TRUE(relieved.may_begin(0));
  EXPECT_FALSE(relieved.may_begin(1));
}

}  // namespace
}  // namespace gantry::host::crew_test

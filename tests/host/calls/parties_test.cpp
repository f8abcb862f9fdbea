#include "host/calls/parties.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gantry::host::parties_test {
namespace {

// How many of `calls` are let in; they stay.
int let_in(Parties& parties, int calls, std::string_view party, std::uint64_t client = 0) {
  int in = 0;
  for (int i = 0; i < calls; ++i) in += parties.enter(party, client) ? 1 : 0;
  return in;
}

TEST(Parties, OneAloneMayHoldEveryPlace) {
  Parties parties(100);
  EXPECT_EQ(let_in(parties, 150, "a"), 100);
  EXPECT_EQ(parties.running(), 100);
}

TEST(Parties, OneHoldsThreeQuartersWhileOthersAreThere) {
  Parties parties(100);
  EXPECT_EQ(let_in(parties, 1, "b"), 1);
  EXPECT_EQ(let_in(parties, 150, "a"), 75);
  EXPECT_EQ(let_in(parties, 150, "b"), 49) << "the rest, and beyond it up to an equal part";
  EXPECT_FALSE(parties.enter("a", 0));
}

TEST(Parties, OneThatTookEveryPlaceLeavesTheOthersAQuarter) {
  Parties parties(100);
  EXPECT_EQ(let_in(parties, 100, "a"), 100);
  EXPECT_EQ(let_in(parties, 100, "b"), 25);
  EXPECT_EQ(let_in(parties, 100, "c"), 0) << "a hundred and twenty-five are the most";
}

TEST(Parties, APlaceThatIsLeftIsFree) {
  Parties parties(2);
  const auto first = parties.enter("a", 0), second = parties.enter("a", 0);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first, second);
  EXPECT_FALSE(parties.enter("b", 0)) << "a quarter of two is none";
  parties.leave(*first);
  EXPECT_TRUE(parties.enter("b", 0));
}

TEST(Parties, TheQuarterBeyondIsForThoseBelowAnEqualPart) {
  Parties parties(8);
  for (std::uint64_t client = 1; client <= 8; ++client) {
    EXPECT_EQ(let_in(parties, 1, "peer", client), 1);
  }
  EXPECT_EQ(let_in(parties, 1, "peer", 9), 0) << "eight have one each";
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(parties.enter("peer", 1));
}

TEST(Parties, ClientsOfOnePartyAreGroupsUpToABound) {
  Parties parties(1000);
  std::vector<GroupId> groups;
  for (std::uint64_t client = 1; client <= 40; ++client) {
    groups.push_back(*parties.enter("peer", client));
  }
  EXPECT_EQ(parties.groups(), Parties::kApart + 1);
  EXPECT_NE(groups[0], groups[31]);
  EXPECT_EQ(groups[32], groups[39]) << "those beyond are one group";
  EXPECT_EQ(*parties.enter("peer", 1), groups[0]);
  parties.leave(groups[5]);
  EXPECT_NE(*parties.enter("peer", 41), groups[39]) << "a client that has gone makes place";
  EXPECT_NE(*parties.enter("other", 1), groups[0]);
}

TEST(Parties, ForgetsPartiesWithoutCalls) {
  Parties parties(100);
  const auto stays = parties.enter("stays", 1);
  for (int i = 0; i < 5000; ++i) {
    parties.leave(*parties.enter("party " + std::to_string(i), static_cast<std::uint64_t>(i)));
    EXPECT_LE(parties.groups(), Parties::kMostIdle + 2);
  }
  EXPECT_EQ(parties.enter("stays", 1), stays);
  EXPECT_EQ(parties.running(), 2);
}

}  // namespace
}  // namespace gantry::host::parties_test

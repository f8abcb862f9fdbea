#include "host/base/fair_queue.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/base/strand.hpp"

namespace gantry::host::fair_queue_test {
namespace {

using Queue = FairQueue<std::string>;

Queue::Time at(int ms) { return Queue::Time(std::chrono::milliseconds(ms)); }

// What comes out, each piece as ended at once.
std::string drained(Queue& queue) {
  std::string out;
  while (!queue.empty()) {
    const auto taken = queue.take();
    queue.done(taken.group);
    out += taken.work + " ";
  }
  return out;
}

TEST(FairQueue, ServesOneGroupInItsOrder) {
  Queue queue;
  for (const char* work : {"a", "b", "c"}) queue.push(7, work);
  EXPECT_EQ(queue.size(), 3u);
  EXPECT_EQ(drained(queue), "a b c ");
}

TEST(FairQueue, ServesGroupsInTurnHoweverManyPiecesOneHas) {
  Queue queue;
  for (const char* work : {"a1", "a2", "a3", "a4"}) queue.push(1, work);
  for (const char* work : {"b1", "b2"}) queue.push(2, work);
  queue.push(3, "c1");
  EXPECT_EQ(drained(queue), "a1 b1 c1 a2 b2 a3 a4 ");
}

TEST(FairQueue, AGroupThatComesBackTakesItsTurnBehindThoseThatWait) {
  Queue queue;
  queue.push(1, "a1");
  queue.push(2, "b1");
  queue.done(queue.take().group);
  queue.push(1, "a2");
  EXPECT_EQ(drained(queue), "b1 a2 ");
}

TEST(FairQueue, TheGroupWithTheFewestPiecesUnderWayComesFirst) {
  Queue queue;
  for (const char* work : {"a1", "a2", "a3"}) queue.push(1, work);
  EXPECT_EQ(queue.take().work, "a1");
  EXPECT_EQ(queue.take().work, "a2");
  queue.push(2, "b1");
  queue.push(2, "b2");
  queue.push(2, "b3");
  EXPECT_EQ(queue.running_of_next(), 0u);
  EXPECT_EQ(queue.take().work, "b1");
  EXPECT_EQ(queue.take().work, "b2");
  EXPECT_EQ(queue.running_of_next(), 2u);
  EXPECT_EQ(queue.take().work, "a3") << "both have two; the turn of the first has waited longer";
  queue.done(1);
  queue.done(1);
  EXPECT_EQ(queue.take().work, "b3");
}

TEST(FairQueue, KnowsWhichGroupsAreOverdue) {
  Queue queue;
  queue.push(1, "a1", at(0));
  queue.push(1, "a2", at(0));
  queue.push(2, "b1", at(50));
  EXPECT_EQ(queue.overdue(9, at(-1)), 0u);
  EXPECT_EQ(queue.overdue(9, at(0)), 1u) << "groups, not pieces";
  EXPECT_EQ(queue.overdue(9, at(50)), 2u);
  EXPECT_EQ(queue.take().since, at(0));
  EXPECT_EQ(queue.overdue(1, at(50)), 1u) << "the first one has a piece under way";
  EXPECT_EQ(queue.overdue(2, at(50)), 2u);
  EXPECT_EQ(queue.overdue(0, at(50)), 0u);
}

TEST(FairQueue, ForgetsGroupsThatHaveNothing) {
  Queue queue;
  queue.push(1, "held");
  queue.take();
  queue.push(2, "queued");
  for (GroupId group = 3; group < 1000; ++group) {
    queue.push(group, "x");
    while (queue.running_of_next() == 0 && queue.size() > 1) queue.done(queue.take().group);
    EXPECT_LE(queue.records(), Queue::kMostIdle + 3);
  }
  queue.done(1);
  EXPECT_EQ(queue.size(), 1u);
}

TEST(FairQueue, RemovesQueuedWork) {
  Queue queue;
  for (const char* name : {"a1", "a2"}) queue.push(1, name);
  queue.push(2, "b1");
  queue.remove(1, "a1");
  queue.remove(2, "b1");
  queue.remove(2, "b1");
  queue.remove(3, "none");
  EXPECT_EQ(queue.size(), 1u);
  EXPECT_EQ(queue.take().work, "a2");
  queue.done(1);
  EXPECT_TRUE(queue.empty());
  for (GroupId group = 3; group < 1000; ++group) {
    queue.push(group, "x");
    queue.remove(group, "x");
    EXPECT_LE(queue.records(), Queue::kMostIdle + 2);
  }
}

TEST(Strand, LetsGroupsInTurn) {
  Strand strand;
  const int owner = 0;
  std::string order;
  const auto enter = [&](GroupId group, const char* name) {
    return strand.enter(&owner, group, [&order, name] { order += name; });
  };
  EXPECT_TRUE(enter(1, "-"));
  for (const char* name : {"a1 ", "a2 ", "a3 "}) EXPECT_FALSE(enter(1, name));
  EXPECT_FALSE(enter(2, "b1 "));
  while (auto next = strand.leave()) (*next)();
  EXPECT_EQ(order, "a1 b1 a2 a3 ");
  EXPECT_EQ(strand.owner(), nullptr);
}

}  // namespace
}  // namespace gantry::host::fair_queue_test

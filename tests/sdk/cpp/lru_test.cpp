#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include <gantry/lru.hpp>

namespace gantry {
namespace {

using Names = Lru<std::string, int>;

TEST(Lru, FindsTheValueOfAKey) {
  Names names;
  names.put("one", 1);
  names.put("two", 2);
  ASSERT_NE(names.find("one"), nullptr);
  EXPECT_EQ(*names.find("one"), 1);
  EXPECT_EQ(names.find("three"), nullptr);
  EXPECT_EQ(names.size(), 2u);
}

TEST(Lru, FindsTextsByTheirViews) {
  Names names;
  names.put("one", 1);
  const std::string_view longer = "one more";
  ASSERT_NE(names.find(longer.substr(0, 3)), nullptr);
  EXPECT_EQ(names.find(longer), nullptr);
}

TEST(Lru, PutEvictsTheEntryUsedLongestAgo) {
  Names names(2);
  names.put("one", 1);
  names.put("two", 2);
  names.find("one");
  names.put("three", 3);
  EXPECT_EQ(names.size(), 2u);
  EXPECT_NE(names.find("one"), nullptr);
  EXPECT_EQ(names.find("two"), nullptr);
  EXPECT_NE(names.find("three"), nullptr);
}

TEST(Lru, PutReplacesTheValueAndCountsAsUse) {
  Names names(2);
  names.put("one", 1);
  names.put("two", 2);
  EXPECT_EQ(names.put("one", 10), 10);
  EXPECT_EQ(names.size(), 2u);
  names.put("three", 3);
  ASSERT_NE(names.find("one"), nullptr);
  EXPECT_EQ(*names.find("one"), 10);
  EXPECT_EQ(names.find("two"), nullptr);
}

TEST(Lru, WithoutABoundItKeepsAllUntilEvict) {
  Names names;
  for (int i = 0; i < 1000; ++i) names.put(std::to_string(i), i);
  EXPECT_EQ(names.size(), 1000u);
  names.find("0");
  const Names::Entry evicted = names.evict();
  EXPECT_EQ(evicted.key, "1");
  EXPECT_EQ(evicted.value, 1);
  EXPECT_EQ(names.size(), 999u);
  EXPECT_EQ(names.find("1"), nullptr);
}

TEST(Lru, TakeMovesTheValueOut) {
  Lru<std::string, std::unique_ptr<int>> owners(3);
  owners.put("one", std::make_unique<int>(1));
  auto taken = owners.take("one");
  ASSERT_TRUE(taken);
  EXPECT_EQ(**taken, 1);
  EXPECT_EQ(owners.size(), 0u);
  EXPECT_FALSE(owners.take("one"));
}

TEST(Lru, AValueKeepsItsAddress) {
  Names names;
  const int* const one = &names.put("one", 1);
  for (int i = 0; i < 1000; ++i) names.put(std::to_string(i), i);
  EXPECT_EQ(names.find("one"), one);
}

TEST(Lru, ClearLeavesNothing) {
  Names names(2);
  names.put("one", 1);
  names.clear();
  EXPECT_EQ(names.size(), 0u);
  EXPECT_EQ(names.find("one"), nullptr);
  names.put("one", 2);
  EXPECT_EQ(*names.find("one"), 2);
}

struct Both {
  std::string name;
  int number;
};
struct BothView {
  std::string_view name;
  int number;
};
struct BothHash {
  std::size_t operator()(const Both& both) const { return both.name.size(); }
  std::size_t operator()(const BothView& both) const { return both.name.size(); }
};
struct BothEqual {
  template <class A, class B>
  bool operator()(const A& a, const B& b) const {
    return a.name == b.name && a.number == b.number;
  }
};

TEST(Lru, TakesAHashAndAnEqualityOfItsOwn) {
  Lru<Both, int, BothHash, BothEqual> table(2);
  table.put({"one", 1}, 1);
  table.put({"two", 2}, 2);  // the same hash
  ASSERT_NE(table.find(BothView{"one", 1}), nullptr);
  EXPECT_EQ(*table.find(BothView{"two", 2}), 2);
  EXPECT_EQ(table.find(BothView{"two", 1}), nullptr);
}

}  // namespace
}  // namespace gantry

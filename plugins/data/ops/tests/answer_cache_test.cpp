// What the cache of answers keeps, for how long and how much of it.
#include "ops/answer_cache.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace gantry::data {
namespace {

using Key = AnswerCache::Key;

constexpr std::size_t kBound = 64 << 10;
constexpr std::size_t kCap = 1000;

// Asks as often as it takes.
void keep(AnswerCache& cache, const std::string& text, std::uint64_t version, const Reply& reply) {
  for (int i = 0; i < 2; ++i) cache.offer(Key(text, kCap, {}), version, reply);
}

bool has(AnswerCache& cache, const std::string& text, std::uint64_t version = 1) {
  return cache.find(Key(text, kCap, {}), version) != nullptr;
}

TEST(AnswerCache, KeepsAnAnswerAskedTwiceInOneVersion) {
  AnswerCache cache(kBound);
  const Reply reply{"[1]", R"({"n":1})"};
  cache.offer(Key("a", kCap, {}), 1, reply);
  EXPECT_FALSE(has(cache, "a"));
  cache.offer(Key("a", kCap, {}), 2, reply);
  EXPECT_FALSE(has(cache, "a", 2));
  cache.offer(Key("a", kCap, {}), 2, reply);
  const auto kept = cache.find(Key("a", kCap, {}), 2);
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(kept->rows, "[1]");
  EXPECT_EQ(kept->meta, R"({"n":1})");
  EXPECT_EQ(cache.found(), 1u);
}

TEST(AnswerCache, GivesNothingToAnotherRequestCapOrVersion) {
  AnswerCache cache(kBound);
  keep(cache, "a", 7, {"[]", "{}"});
  EXPECT_TRUE(has(cache, "a", 7));
  EXPECT_FALSE(has(cache, "b", 7));
  EXPECT_FALSE(has(cache, "a ", 7));
  EXPECT_EQ(cache.find(Key("a", kCap + 1, {}), 7), nullptr);
  EXPECT_EQ(cache.find(Key("a", kCap, "only 1:t except "), 7), nullptr);
  EXPECT_FALSE(has(cache, "a", 6));
  EXPECT_FALSE(has(cache, "a", 8));
}

TEST(AnswerCache, AnOlderVersionDoesNotReplaceANewerAnswer) {
  AnswerCache cache(kBound);
  keep(cache, "a", 1, {"[1]", ""});
  keep(cache, "a", 3, {"[3]", ""});
  keep(cache, "a", 2, {"[2]", ""});
  EXPECT_FALSE(has(cache, "a", 2));
  const auto kept = cache.find(Key("a", kCap, {}), 3);
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(kept->rows, "[3]");
}

TEST(AnswerCache, TheAnswerOutlivesItsPlace) {
  AnswerCache cache(kBound);
  keep(cache, "a", 1, {"[1]", ""});
  const auto kept = cache.find(Key("a", kCap, {}), 1);
  keep(cache, "a", 2, {"[2]", ""});
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(kept->rows, "[1]");
}

// Of 4 KiB each: 14 of them fit with what belongs to them.
std::string four(int i) { return std::to_string(i) + std::string(4 << 10, 'x'); }

TEST(AnswerCache, AnswersStayWithinTheBoundAndTheLeastUsedGo) {
  AnswerCache cache(kBound);
  for (int i = 0; i < 100; ++i) {
    keep(cache, std::to_string(i), 1, {four(i), ""});
    EXPECT_LE(cache.bytes(), kBound);
    EXPECT_TRUE(has(cache, "0")) << "what is used stays, after " << i;
  }
  EXPECT_GT(cache.bytes(), kBound / 2);
  EXPECT_TRUE(has(cache, "99"));
  EXPECT_FALSE(has(cache, "50"));
}

TEST(AnswerCache, RequestsAndBookkeepingCountToo) {
  AnswerCache cache(kBound);
  for (int i = 0; i < 100; ++i) keep(cache, four(i), 1, {"[]", ""});
  int kept = 0;
  for (int i = 0; i < 100; ++i) kept += has(cache, four(i)) ? 1 : 0;
  EXPECT_GT(kept, 10);
  EXPECT_LT(kept, 16);
  for (int i = 0; i < 2000; ++i) keep(cache, std::to_string(i), 1, {"", ""});
  kept = 0;
  for (int i = 0; i < 2000; ++i) kept += has(cache, std::to_string(i)) ? 1 : 0;
  EXPECT_LT(kept, 200);
  EXPECT_LE(cache.bytes(), kBound);
}

TEST(AnswerCache, AHugeAnswerIsNotKeptAndDrivesNothingOut) {
  AnswerCache cache(kBound);
  for (int i = 0; i < 10; ++i) keep(cache, std::to_string(i), 1, {four(i), ""});
  keep(cache, "huge", 1, {std::string(kBound / 8, 'x'), ""});
  keep(cache, "huge meta", 1, {"", std::string(kBound / 8, 'x')});
  keep(cache, std::string(kBound / 8, 'x'), 1, {"", ""});
  EXPECT_FALSE(has(cache, "huge"));
  EXPECT_FALSE(has(cache, "huge meta"));
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(has(cache, std::to_string(i))) << i;
}

TEST(AnswerCache, OfNoBytesKeepsNothing) {
  AnswerCache cache(0);
  keep(cache, "a", 1, {"", ""});
  keep(cache, "a", 1, {"", ""});
  EXPECT_FALSE(has(cache, "a"));
  EXPECT_EQ(cache.bytes(), 0u);
}

TEST(AnswerCache, IsSharedByThreads) {
  AnswerCache cache(kBound);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&cache, t] {
      for (int i = 0; i < 2000; ++i) {
        const std::string text = std::to_string((i * 7 + t) % 40);
        const auto version = static_cast<std::uint64_t>(i / 100);
        if (const auto kept = cache.find(Key(text, kCap, {}), version)) {
          EXPECT_EQ(kept->meta, text + "@" + std::to_string(version));
        } else {
          cache.offer(Key(text, kCap, {}), version,
                      {std::string(3000, 'x'), text + "@" + std::to_string(version)});
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_LE(cache.bytes(), kBound);
}

}  // namespace
}  // namespace gantry::data

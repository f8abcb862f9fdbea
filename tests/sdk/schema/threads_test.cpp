#include <atomic>
#include <thread>
#include <vector>

#include "support.hpp"

namespace gantry::schema::test::threads_test {
namespace {

TEST(Threads, ShareOneValidatorWithoutLocks) {
  const Validator validator = compiled(R"({"properties": {"a": {"pattern": "^x+$"},
      "b": {"enum": [1, "two", {"three": 3}]}}, "unevaluatedProperties": false})");
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, copy = validator] {
      const auto good = parse(R"({"a": "xxx", "b": {"three": 3.0}})");
      const auto bad = parse(R"({"a": "xyx", "c": 1})");
      for (int i = 0; i < 200; ++i) {
        right += validator.validate(good) && !copy.validate(bad) ? 1 : 0;
        right += validator.errors(bad).size() == 1 && copy.errors(good).empty() ? 1 : 0;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, 4 * 200 * 2);
}

}  // namespace
}  // namespace gantry::schema::test::threads_test

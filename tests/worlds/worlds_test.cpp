// Two worlds that differ only in what an agent may not see give it the same bytes, whatever it
// asks. GANTRY_WORLDS is the number of pairs, GANTRY_WORLDS_SEED the first seed,
// GANTRY_WORLDS_FAILURES after how many differences it stops.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "catalogue.hpp"
#include "pair.hpp"

namespace gantry::worlds {
namespace {

constexpr std::uint32_t kPairsAWorld = 50;
constexpr std::uint32_t kPairsThatHitAllRows = 2000;
constexpr std::uint32_t kMostFailures = 12;

std::uint32_t setting(const char* name, std::uint32_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

class TwoWorlds : public ::testing::Test {
 protected:
  using Requests = Request (*)(Chance& chance, const Words& words);

  void run_pair(std::uint32_t seed, std::uint32_t count, Requests requests) {
    Pair pair(seed);
    if (failures_ == 0 && HasFailure()) return;
    Chance chance(seed * 7919 + 1);
    for (std::uint32_t i = 0; i < count && failures_ < most_; ++i) {
      Request request = requests(chance, pair.twins().words);
      const bool after_another = chance.once_in(2);
      const Pair::Answers answers = pair.ask(request, after_another);
      if (after_another) request.rows.insert(41);
      if (answers.one.starts_with("0 ")) ++answered_;
      if (answers.one.find("_truncated\"") != answers.one.npos ||
          answers.one.find("response_too_large") != answers.one.npos) {
        request.rows.insert(36);
      }
      if (pair.tells(request)) hits_.add(request.rows), ++telling_;
      if (answers.are_equal()) continue;
      ++failures_;
      ADD_FAILURE() << "seed " << seed << ", request " << i << ": "
                    << shown(request, answers, pair.twins());
    }
  }

  // The rows of the catalogue that must be hit; none: all.
  void run(Requests requests, const std::set<int>& rows) {
    const std::uint32_t pairs = setting("GANTRY_WORLDS", kPairsThatHitAllRows);
    std::uint32_t seed = setting("GANTRY_WORLDS_SEED", 1);
    for (std::uint32_t done = 0; done < pairs && failures_ < most_; done += kPairsAWorld) {
      run_pair(seed++, std::min(kPairsAWorld, pairs - done), requests);
      if (HasFatalFailure()) return;
    }
    std::cout << pairs << " pairs, " << answered_ << " answered, " << telling_
              << " that tell the worlds apart without rules; hits by row:\n";
    hits_.print(std::cout);
    if (failures_ > 0 || pairs < kPairsThatHitAllRows) return;
    EXPECT_GT(answered_, pairs / 3);
    for (const int row : hits_.missing()) {
      if (rows.empty() || rows.contains(row)) ADD_FAILURE() << "no request hits row " << row;
    }
  }

  Hits hits_;
  const std::uint32_t most_ = setting("GANTRY_WORLDS_FAILURES", kMostFailures);
  std::uint32_t failures_ = 0;
  std::uint32_t answered_ = 0, telling_ = 0;
};

TEST_F(TwoWorlds, GiveTheSameAnswers) { run(any_request, {}); }

TEST_F(TwoWorlds, GiveTheSameAnswersToSql) {
  run(any_statement, {9, 10, 12, 16, 17, 20, 28, 30, 32, 33, 34, 37, 38, 39, 41});
}

}  // namespace
}  // namespace gantry::worlds

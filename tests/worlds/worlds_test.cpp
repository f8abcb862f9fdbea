// Two worlds that differ only in what an agent may not see give it the same bytes, whatever it
// asks. GANTRY_WORLDS is the number of pairs, GANTRY_WORLDS_SEED the first seed,
// GANTRY_WORLDS_FAILURES after how many differences it stops.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <iostream>
#include <set>

#include "catalogue.hpp"
#include "pair.hpp"

namespace gantry::worlds {
namespace {

constexpr std::uint32_t kPairsAWorld = 50;
constexpr std::uint32_t kPairsThatHitAllRows = 2000;
constexpr std::uint32_t kWritesThatHitTheirRows = 200;
constexpr std::uint32_t kMostFailures = 12;
const std::set<int> kRowsOfWrites = {11, 56, 57, 59};

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
      if (answers.one.find("_truncated\"") != answers.one.npos ||
          answers.one.find("response_too_large") != answers.one.npos) {
        request.rows.insert(36);
      }
      note_answers(seed, i, request, answers, pair, hits_.wants(request.rows));
    }
  }

  // One write after the other, each with a read of what is there then.
  void run_writes(std::uint32_t seed, std::uint32_t count) {
    Pair pair(seed, Written::yes);
    Chance chance(seed * 104729 + 3);
    for (std::uint32_t i = 0; i < count && failures_ < most_ && !HasFatalFailure(); ++i) {
      const Request write = any_write(chance, pair.twins().words);
      const Pair::Answers written = pair.write(write);
      if (written.one.starts_with("0 ")) ++written_;
      note_answers(seed, i, write, written, pair, true);
      const Request read = any_request(chance, pair.twins().words);
      note_answers(seed, i, read, pair.ask(read, false), pair, true);
    }
  }

  // `compares`: asks too whether the request tells the worlds apart where no rule holds.
  void note_answers(std::uint32_t seed, std::uint32_t i, const Request& request,
                    const Pair::Answers& answers, Pair& pair, bool compares) {
    if (answers.one.starts_with("0 ")) ++answered_;
    if (compares) {
      ++compared_;
      if (pair.tells(request)) hits_.add(request.rows), ++telling_;
    }
    if (answers.are_equal()) return;
    ++failures_;
    ADD_FAILURE() << "seed " << seed << ", request " << i << ": "
                  << shown(request, answers, pair.twins());
  }

  // The rows of the catalogue that must be hit.
  void run(const std::function<void(std::uint32_t seed, std::uint32_t count)>& run_world,
           const std::set<int>& rows, std::uint32_t enough = kPairsThatHitAllRows) {
    const std::uint32_t pairs = setting("GANTRY_WORLDS", enough);
    std::uint32_t seed = setting("GANTRY_WORLDS_SEED", 1);
    for (std::uint32_t done = 0; done < pairs && failures_ < most_; done += kPairsAWorld) {
      run_world(seed++, std::min(kPairsAWorld, pairs - done));
      if (HasFatalFailure()) return;
    }
    std::cout << pairs << " pairs, " << answered_ << " answered; of " << compared_
              << " that were asked without rules " << telling_
              << " tell the worlds apart; hits by row:\n";
    hits_.print(std::cout);
    if (failures_ > 0 || pairs < enough) return;
    EXPECT_GT(answered_, pairs / 3);
    for (const int row : hits_.missing()) {
      if (rows.contains(row)) ADD_FAILURE() << "no request hits row " << row;
    }
  }

  Hits hits_;
  const std::uint32_t most_ = setting("GANTRY_WORLDS_FAILURES", kMostFailures);
  std::uint32_t failures_ = 0;
  std::uint32_t answered_ = 0, written_ = 0, compared_ = 0, telling_ = 0;
};

TEST_F(TwoWorlds, GiveTheSameAnswers) {
  std::set<int> rows;
  for (const auto& [row, name] : catalogue()) rows.insert(row);
  for (const int row : kRowsOfWrites) rows.erase(row);
  run([this](auto seed, auto count) { run_pair(seed, count, any_request); }, rows);
}

TEST_F(TwoWorlds, GiveTheSameAnswersToSql) {
  run([this](auto seed, auto count) { run_pair(seed, count, any_statement); },
      {9, 10, 12, 16, 17, 20, 28, 30, 32, 33, 34, 37, 38, 39, 41});
}

TEST_F(TwoWorlds, GiveTheSameAnswersToWrites) {
  for (const char* gate : {"GANTRY_ALLOW_WRITE_TOOLS", "GANTRY_ALLOW_SCHEMA_OPS"}) {
    ::setenv(gate, "1", 1);
  }
  run([this](auto seed, auto count) { run_writes(seed, count); }, {11, 57, 59},
      kWritesThatHitTheirRows);
  EXPECT_GT(written_, 0u);
  for (const char* gate : {"GANTRY_ALLOW_WRITE_TOOLS", "GANTRY_ALLOW_SCHEMA_OPS"}) ::unsetenv(gate);
}

}  // namespace
}  // namespace gantry::worlds

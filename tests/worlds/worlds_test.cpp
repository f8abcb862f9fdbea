// Two worlds that differ only in what an agent may not see give it the same bytes, whatever it
// asks. GANTRY_WORLDS is the number of pairs, GANTRY_WORLDS_SEED the first seed,
// GANTRY_WORLDS_FAILURES after how many differences it stops.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "catalogue.hpp"
#include "subject.hpp"

namespace gantry::worlds {
namespace {

constexpr std::uint32_t kPairsAWorld = 50;
constexpr std::uint32_t kPairsThatHitAllRows = 2000;
constexpr int kAsksUntilKept = 2;  // the answer cache keeps what was asked for twice
constexpr std::uint32_t kMostFailures = 12;

std::uint32_t setting(const char* name, std::uint32_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

// One pair of worlds with its four subjects.
class Pair {
 public:
  explicit Pair(std::uint32_t seed)
      : twins_(make_twins(seed)),
        options_{twins_.agent, seed % 2 == 0, seed % 7 == 0 ? 1500 : std::size_t{4} << 20U},
        one_(twins_.one, twins_.model, options_),
        other_(twins_.other, twins_.model, options_),
        bare_one_(twins_.one, twins_.bare, {}),
        bare_other_(twins_.other, twins_.bare, {}) {}

  const Twins& twins() const { return twins_; }

  struct Answers {
    std::string one, other, again;
    bool are_equal() const { return one == other && other == again; }
  };
  // The caches of the second world are warmed by another agent before, and by this one in between.
  Answers ask(const Request& request, bool after_another) {
    for (int i = 0; after_another && i < kAsksUntilKept; ++i) {
      (void)other_.ask(request, twins_.other_agent);
    }
    Answers answers{one_.ask(request), other_.ask(request), {}};
    answers.again = other_.ask(request);
    return answers;
  }

  // Whether the request tells the worlds apart where no rule holds.
  bool tells(const Request& request) { return bare_one_.ask(request) != bare_other_.ask(request); }

 private:
  Twins twins_;
  SubjectOptions options_;
  Subject one_, other_, bare_one_, bare_other_;
};

std::string shown(const Request& request, const Pair::Answers& answers, const Twins& twins) {
  std::string text = request.op + " " + with_quotes(request.text) + "\nagent " + twins.agent;
  text +=
      "\n--- one\n" + answers.one.substr(0, 3000) + "\n--- other\n" + answers.other.substr(0, 3000);
  if (answers.again != answers.other) text += "\n--- again\n" + answers.again.substr(0, 3000);
  return text;
}

class TwoWorlds : public ::testing::Test {
 protected:
  void run_pair(std::uint32_t seed, std::uint32_t count) {
    Pair pair(seed);
    if (failures_ == 0 && HasFailure()) return;
    Chance chance(seed * 7919 + 1);
    for (std::uint32_t i = 0; i < count && failures_ < most_; ++i) {
      Request request = any_request(chance, pair.twins().words);
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

  Hits hits_;
  const std::uint32_t most_ = setting("GANTRY_WORLDS_FAILURES", kMostFailures);
  std::uint32_t failures_ = 0;
  std::uint32_t answered_ = 0, telling_ = 0;
};

TEST_F(TwoWorlds, GiveTheSameAnswers) {
  const std::uint32_t pairs = setting("GANTRY_WORLDS", kPairsThatHitAllRows);
  std::uint32_t seed = setting("GANTRY_WORLDS_SEED", 1);
  for (std::uint32_t done = 0; done < pairs && failures_ < most_; done += kPairsAWorld) {
    run_pair(seed++, std::min(kPairsAWorld, pairs - done));
    if (HasFatalFailure()) return;
  }
  std::cout << pairs << " pairs, " << answered_ << " answered, " << telling_
            << " that tell the worlds apart without rules; hits by row:\n";
  hits_.print(std::cout);
  if (failures_ > 0 || pairs < kPairsThatHitAllRows) return;
  EXPECT_GT(answered_, pairs / 3);
  for (const int row : hits_.missing()) ADD_FAILURE() << "no request hits row " << row;
}

}  // namespace
}  // namespace gantry::worlds

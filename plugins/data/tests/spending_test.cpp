// The spending of a query: charges and their return, errors with names, steps that check the time.
#include "values/spending.hpp"

#include <gtest/gtest.h>

#include <string>

#include "values/pattern.hpp"
#include "values/sorting.hpp"
#include "values/value.hpp"

namespace gantry::data::spending_test {
namespace {

Budget budget_of(std::size_t bytes) {
  Budget budget;
  budget.bytes = bytes;
  return budget;
}

Budget ended() {
  Budget budget;
  budget.deadline_ns = 1;
  return budget;
}

std::size_t used() { return Spending::current()->used(); }

TEST(Spending, ChargesTextsArraysAndObjectsAndGetsTheirBytesBack) {
  const Spending::Scope scope(budget_of(1 << 20));
  {
    const Value text = Value::string(std::string(10'000, 'x'));
    EXPECT_GE(used(), 10'000U);
    const std::size_t one = used();
    const Value copy = text;
    EXPECT_EQ(used(), one) << "a copy shares";
    const Value array = Value::array(Array(1'000, text));
    EXPECT_GE(used(), one + 1'000 * sizeof(Value));
    const std::size_t two = used();
    ObjectBuilder object;
    object.add(std::string(5'000, 'n'), array);
    const Value built = object.build();
    EXPECT_GE(used(), two + 5'000);
  }
  EXPECT_EQ(used(), 0U);
}

TEST(Spending, ChargesNothingForValuesWithoutMemory) {
  const Spending::Scope scope(budget_of(0));
  const Value values[] = {Value::int32(1), Value::real(2), Value::null(), Value::date(3)};
  EXPECT_EQ(used(), 0U);
  EXPECT_THROW(Value::string(""), MemorySpent);
}

TEST(Spending, FollowsAValueThatGrowsInPlace) {
  const Spending::Scope scope(budget_of(1 << 20));
  Value text = Value::string("");
  for (int i = 0; i < 1'000; ++i) text.append_text(std::string(100, 'x'));
  EXPECT_EQ(text.text().size(), 100'000U);
  EXPECT_GE(used(), 100'000U);
  EXPECT_LT(used(), 300'000U);
  const Value other = text;
  text.append_text("y");
  EXPECT_EQ(other.text().size(), 100'000U) << "what is shared stays as it is";
  EXPECT_THROW(text.append_text(std::string(1 << 20, 'x')), MemorySpent);
  EXPECT_EQ(text.text().size(), 100'001U);
}

TEST(Spending, RefusesValuesBeyondItsBudgetAndChargesNothingForThem) {
  const Spending::Scope scope(budget_of(100'000));
  const std::size_t before = used();
  EXPECT_THROW(Value::string(std::string(100'000, 'x')), MemorySpent);
  EXPECT_THROW(Array(10'000), MemorySpent);
  EXPECT_EQ(used(), before);
  EXPECT_NO_THROW(Value::string(std::string(50'000, 'x')));
}

TEST(Spending, NamesTheFirstThatCatchesIt) {
  const Spending::Scope scope(budget_of(100 << 20));
  const auto spend = [] { return Value::array(Array(std::size_t{100} << 20)); };
  try {
    in_name_of("$outer", [&] { return in_name_of("$inner", spend); });
    FAIL();
  } catch (const MemorySpent& error) {
    EXPECT_EQ(std::string(error.what()),
              "$inner would take more than the memory of one query allows (100 MiB). Make fewer or "
              "smaller texts, arrays and objects, or work on fewer documents at a time.");
    EXPECT_EQ(error.error().code, "invalid_query");
  }
}

TEST(Spending, BlamesTheStageThatKeepsMostOfIt) {
  const Spending::Scope scope(budget_of(100'000));
  Array kept;
  try {
    keeping("$sort", [&] {
      for (;;)
        kept.push_back(
            in_name_of("$concat", [] { return Value::string(std::string(1'000, 'x')); }));
    });
    FAIL();
  } catch (const MemorySpent& error) {
    EXPECT_EQ(std::string(error.what()).find("$sort: has to keep more documents"), 0U);
  }
}

TEST(Spending, OutlivesItsScopeWithItsValues) {
  Value kept;
  {
    const Spending::Scope scope(budget_of(1 << 20));
    kept = Value::string(std::string(1'000, 'x'));
  }
  EXPECT_EQ(Spending::current(), nullptr);
  EXPECT_EQ(kept.text().size(), 1'000U);
}

TEST(Spending, CountsForTheInnerOfTwoScopes) {
  const Spending::Scope outer(budget_of(1 << 20));
  {
    const Spending::Scope inner(budget_of(1'000));
    EXPECT_THROW(Value::string(std::string(2'000, 'x')), MemorySpent);
  }
  EXPECT_NO_THROW(Value::string(std::string(2'000, 'x')));
}

TEST(Spending, OfATrialEndsAfterItsStepsOrBytes) {
  const Spending::Scope scope(budget_of(1 << 20));
  {
    const Spending::Trial trial(3, 1'000);
    EXPECT_THROW(Value::string(std::string(2'000, 'x')), MemorySpent);
    Spending::step_current();
    Spending::step_current();
    EXPECT_THROW(Spending::step_current(), Spending::TrialEnded);
    EXPECT_THROW(Spending::step_current(), Spending::TrialEnded);
  }
  EXPECT_NO_THROW(Spending::step_current());
  EXPECT_NO_THROW(Value::string(std::string(2'000, 'x')));
}

void step_often() {
  for (int i = 0; i < 1'000; ++i) Spending::step_current();
}

TEST(Step, EndsWithTheDeadlineAndWithTheCaller) {
  {
    const Spending::Scope scope(ended());
    try {
      step_often();
      FAIL();
    } catch (const TimeSpent& error) {
      EXPECT_EQ(error.error().code, "timeout");
    }
  }
  Budget left;
  left.cancelled = [] { return true; };
  const Spending::Scope scope(left);
  try {
    step_often();
    FAIL();
  } catch (const TimeSpent& error) {
    EXPECT_EQ(error.error().code, "cancelled");
  }
}

TEST(Step, IsTakenByComparisonsHashesAndSorts) {
  const Value array = Value::array(Array(100'000, Value::int32(1)));
  const Value other = Value::array(Array(100'000, Value::int32(1)));
  const Spending::Scope scope(ended());
  EXPECT_THROW(compare(array, other), TimeSpent);
  EXPECT_THROW(hash_of(array), TimeSpent);
  Array values(1'000, Value::int32(1));
  EXPECT_THROW(
      sort_stably(values, [](const Value& a, const Value& b) { return compare(a, b) < 0; }),
      TimeSpent);
}

TEST(Step, IsTakenByPatternsInLongTexts) {
  const std::string text(1 << 20, 'a');
  const Pattern endless("(?:a[^x]*x|a)*y", "");
  const Spending::Scope scope(Budget::for_ms(20));
  EXPECT_THROW(endless.found_in(text), TimeSpent);
  const Pattern long_pattern(std::string(12'000, 'b') + "|[^x]*x", "");
  EXPECT_THROW(long_pattern.found_in(text), TimeSpent);
}

TEST(PatternInLongTexts, FindsTheSameMatchesAsInShortOnes) {
  const std::string text = std::string(5'000, ' ') + "one 22 three";
  EXPECT_TRUE(Pattern("\\d+ three$", "").found_in(text));
  EXPECT_FALSE(Pattern("\\d{3}", "").found_in(text));
  EXPECT_TRUE(Pattern("ONE (?<n>2)\\k<n>", "i").found_in(text));
  EXPECT_TRUE(Pattern("(*UCP)\\bone\\b", "").found_in(text));
}

}  // namespace
}  // namespace gantry::data::spending_test

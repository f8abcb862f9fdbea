// Every query stops at its deadline and stays within its memory budget: each operator, accumulator,
// stage and condition runs over its largest operands.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "expr/accumulators/accumulator.hpp"
#include "expr/registry.hpp"
#include "filter/condition.hpp"
#include "tests/budget/entries.hpp"
#include "tests/budget/load.hpp"

namespace gantry::data::budget_tests {
namespace {

// Allowance for temporary data: a text under construction.
constexpr std::size_t kAround = 32 * kMiB;
constexpr double kLate = 50;  // milliseconds after the deadline
constexpr double kDeadline = 30;
constexpr std::size_t kMemory = 32 * kMiB;

Load& load() {
  static Load all;
  return all;
}

Budget budget_of(double milliseconds, std::size_t bytes) {
  Budget budget = Budget::for_ms(static_cast<std::int64_t>(milliseconds));
  budget.bytes = bytes;
  return budget;
}

using PipelineOf = std::function<std::string(const std::string& name, const std::string& operand)>;

void check(std::string_view name, const std::string& pipeline) {
  const Taken taken = run(load(), pipeline, budget_of(kDeadline, kMemory));
  const std::string shown = pipeline.substr(0, 200);
  // Between two looks at the clock an operator builds at most two of the largest texts.
  const double late = kLate * kSlower + 2 * load().copy_ms();
  EXPECT_LE(taken.milliseconds, kDeadline + late) << name << ": " << shown;
  EXPECT_LE(taken.grown, (kMemory + kAround) * kLarger)
      << name << " grew by " << taken.grown / kMiB << " MiB: " << shown;
}

void check_all(std::span<const Entry> entries, const PipelineOf& pipeline_of) {
  for (const Entry& entry : entries) {
    const std::string name(entry.name);
    for (const std::string& operand : operands_of(entry)) check(name, pipeline_of(name, operand));
  }
}

template <class Names>
void expect_entries(const Names& names, std::initializer_list<std::span<const Entry>> lists) {
  for (const std::string_view name : names) {
    const bool is_there = std::any_of(lists.begin(), lists.end(), [&](const auto& entries) {
      return std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) {
        return entry.name == name && !entry.operands.empty();
      });
    });
    EXPECT_TRUE(is_there) << name << " has no entry: add its largest operands to tests/budget";
  }
}

std::string braced(const std::string& name, const std::string& operand) {
  return "{'" + name + "':" + operand + "}";
}

TEST(EveryOperator, HasAnEntry) {
  expect_entries(expr::operator_names(), {expression_entries()});
  expect_entries(expr::accumulator_names(), {accumulator_entries()});
  expect_entries(pipeline::window_function_names(), {accumulator_entries(), window_entries()});
  expect_entries(pipeline::stage_names(), {stage_entries()});
  expect_entries(filter::operator_names(), {condition_entries()});
}

TEST(EveryExpression, EndsInTimeAndStaysWithinItsMemory) {
  load().count = 1;
  check_all(expression_entries(), [](const std::string& name, const std::string& operand) {
    return "[{'$project':{'r':" + braced(name, operand) + "}}]";
  });
}

TEST(EveryAccumulator, EndsInTimeAndStaysWithinItsMemory) {
  load().count = 1'000;
  check_all(accumulator_entries(), [](const std::string& name, const std::string& operand) {
    return "[{'$group':{'_id':null,'r':" + braced(name, operand) + "}}]";
  });
}

TEST(EveryWindowFunction, EndsInTimeAndStaysWithinItsMemory) {
  load().count = 1'000;
  const PipelineOf growing = [](const std::string& name, const std::string& operand) {
    return "[{'$setWindowFields':{'sortBy':{'i':1},'output':{'r':{'" + name + "':" + operand +
           ",'window':{'documents':['unbounded','current']}}}}}]";
  };
  const PipelineOf plain = [](const std::string& name, const std::string& operand) {
    return "[{'$setWindowFields':{'sortBy':{'i':1},'output':{'r':" + braced(name, operand) + "}}}]";
  };
  check_all(accumulator_entries(), growing);
  check_all(window_entries(), plain);
  check_all(window_entries(), growing);
}

TEST(EveryStage, EndsInTimeAndStaysWithinItsMemory) {
  load().count = 500;
  check_all(stage_entries(), [](const std::string& name, const std::string& operand) {
    return "[" + braced(name, operand) + "]";
  });
}

// A filter names fields or filter operators; the condition of one field does neither.
bool is_filter(const std::string& operand) {
  for (const char* begin : {"{'g'", "{'t'", "{'$and'", "{'$or'", "{'$nor'", "{'$expr'",
                            "{'$comment'", "{'$always", "{'$sampleRate'"}) {
    if (operand.starts_with(begin)) return true;
  }
  return false;
}

TEST(EveryCondition, EndsInTimeAndStaysWithinItsMemory) {
  load().count = 3;
  for (const Entry& entry : condition_entries()) {
    const std::string name(entry.name);
    for (const std::string& operand : operands_of(entry)) {
      if (is_filter(operand)) {
        check(name, "[{'$match':" + operand + "}]");
        continue;
      }
      for (const char* field : {"t", "m", "n", "p"}) {
        check(name, "[{'$match':{'" + std::string(field) + "':" + braced(name, operand) + "}}]");
      }
    }
  }
}

// Small requests that used gigabytes before; each is refused with the name of an operator.
struct Attack {
  const char* named;
  const char* expression;
};

TEST(NestedExpressions, AreRefusedAtTheBudgetOfAQuery) {
  constexpr Attack kAttacks[] = {
      {"$concat", "{'$map':{'input':{'$range':[0,1000]},'in':{'$concat':['$t','x']}}}"},
      {"$zip", "{'$zip':{'inputs':[{'$range':[0,1500000]},{'$range':[0,1500000]}]}}"},
      {"$concatArrays",
       "{'$let':{'vars':{'a':{'$range':[0,1000000]}},'in':{'$let':{'vars':{'b':{'$concatArrays':"
       "['$$a','$$a']}},'in':{'$let':{'vars':{'c':{'$concatArrays':['$$b','$$b']}},'in':"
       "{'$concatArrays':['$$c','$$c']}}}}}}}"},
      {"$split",
       "{'$map':{'input':{'$range':[0,9]},'in':{'$split':[{'$substrBytes':['$t','$$this',"
       "900000]},'a']}}}"},
      {"$range", "{'$map':{'input':{'$range':[0,1000]},'in':{'$range':[0,1000000]}}}"},
      {"$setUnion", "{'$map':{'input':{'$range':[0,1000]},'in':{'$setUnion':['$n',['$$this']]}}}"},
      {"$concat",
       "{'$map':{'input':{'$range':[0,1000]},'in':{'$reduce':{'input':{'$range':[0,14]},"
       "'initialValue':'"
       "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',"
       "'in':{'$concat':['$$value','$$value']}}}}}"},
      {"$arrayToObject",
       "{'$map':{'input':{'$range':[0,100]},'in':{'$arrayToObject':[[['$t',1]]]}}}"},
      {"$replaceAll",
       "{'$map':{'input':{'$range':[0,1000]},'in':{'$replaceAll':{'input':'$s','find':"
       "'b','replacement':{'$toString':'$$this'}}}}}"},
  };
  load().count = 1;
  for (const Attack& attack : kAttacks) {
    const std::string pipeline = "[{'$project':{'r':" + std::string(attack.expression) + "}}]";
    const Taken taken = run(load(), pipeline, budget_of(20'000, Budget::kBytes));
    EXPECT_EQ(
        taken.error.substr(0, taken.error.find(" would take more than the memory of one query")),
        attack.named)
        << taken.error;
    EXPECT_LE(taken.grown, Budget::kBytes * kLarger + kAround) << attack.expression;
  }
}

TEST(Facet, IsNamedForTheDocumentsThatItKeeps) {
  load().count = 200'000;
  const Taken taken = run(load(), "[{'$facet':{'a':[]}}]", budget_of(20'000, 16 * kMiB));
  EXPECT_EQ(taken.error.find("$facet: has to keep more documents"), 0U) << taken.error;
}

// Regression: it took 32 s of processor time.
TEST(ReduceWithConcatArrays, IsLinear) {
  load().count = 1;
  const Taken taken = run(load(),
                          "[{'$project':{'r':{'$reduce':{'input':{'$range':[0,100000]},"
                          "'initialValue':[],'in':{'$concatArrays':['$$value',['$$this']]}}}}}]",
                          budget_of(20'000, Budget::kBytes));
  EXPECT_EQ(taken.error, "");
  EXPECT_LE(taken.milliseconds, 500.0 * kSlower);
}

}  // namespace
}  // namespace gantry::data::budget_tests

// The largest operands of every operator, accumulator, window function, stage and condition.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::data::budget_tests {

// `operands`: JSON with ' for ". "@1" is replaced by each large field in turn, "@2" by pairs of
// them, "@K:value" by members of `o`, "@U" by names and "@R" by outputs, each of the last three
// thousands of times.
struct Entry {
  std::string_view name;
  std::vector<std::string_view> operands;
};

std::span<const Entry> expression_entries();
std::span<const Entry> accumulator_entries();
std::span<const Entry> window_entries();
std::span<const Entry> condition_entries();  // {t: {$op: …}}, or whole filters that begin with '{'
std::span<const Entry> stage_entries();      // whole pipelines, or the stage's operand

// Replaces "@1" and "@2".
std::vector<std::string> operands_of(const Entry& entry);

}  // namespace gantry::data::budget_tests

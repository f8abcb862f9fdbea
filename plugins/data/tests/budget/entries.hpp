// For every operator, accumulator, window function, stage and condition: its largest operands.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::data::budget_tests {

// `operands`: JSON with ' for ". "@1" stands for one of each large field, "@2" for pairs of them.
// "@K:value" stands for members of `o`, "@U" for names and "@R" for outputs, each for thousands.
struct Entry {
  std::string_view name;
  std::vector<std::string_view> operands;
};

std::span<const Entry> expression_entries();
std::span<const Entry> accumulator_entries();
std::span<const Entry> window_entries();
std::span<const Entry> condition_entries();  // {t: {$op: …}}, or whole filters that begin with '{'
std::span<const Entry> stage_entries();      // whole pipelines, or the stage's operand

// With "@1" and "@2" spelt out.
std::vector<std::string> operands_of(const Entry& entry);

}  // namespace gantry::data::budget_tests

// The rules for arrays, and the marks of the elements that they evaluate.
#pragma once

#include "run/compare_rules.hpp"

namespace gantry::schema::detail {

class Runner;

class ArrayRules {
 public:
  ArrayRules(RunState& state, const CompareRules& compare, Runner& runner)
      : state_(state), compare_(compare), runner_(runner) {}

  // f.value is an array, here and below.
  bool apply(const Op& op, const Frame& f) const;
  // unevaluatedItems: applies `node` to the elements without a mark. f.seen must not be null.
  bool unevaluated(std::uint32_t node, const Frame& f) const;

 private:
  bool prefix_items(const Op& op, const Frame& f) const;
  bool items(const Op& op, const Frame& f) const;
  bool contains(const Op& op, const Frame& f) const;
  bool run_element(std::uint32_t node, std::uint32_t position, const Frame& f) const;
  bool forbid_element(std::uint32_t position, const Frame& f) const;

  RunState& state_;
  const CompareRules& compare_;
  Runner& runner_;
};

}  // namespace gantry::schema::detail

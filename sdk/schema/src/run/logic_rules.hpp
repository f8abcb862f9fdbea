// The rules that combine schemas on one value: allOf, anyOf, oneOf, not, if. A branch that fails
// must not mark members in Frame::seen, so branches that may fail mark a copy.
#pragma once

#include "run/run_state.hpp"

namespace gantry::schema::detail {

class Runner;

class LogicRules {
 public:
  LogicRules(RunState& state, Runner& runner) : state_(state), runner_(runner) {}

  bool apply(const Op& op, const Frame& f) const;

 private:
  bool all_of(const Op& op, const Frame& f) const;
  bool any_of(const Op& op, const Frame& f) const;
  bool one_of(const Op& op, const Frame& f) const;
  bool negation(const Op& op, const Frame& f) const;
  bool condition(const Op& op, const Frame& f) const;
  // Applies a node without reporting its failures.
  bool try_run(std::uint32_t node, const Frame& f) const;
  // As try_run(); the marks of f.seen change only if the node holds.
  bool run_branch(std::uint32_t node, const Frame& f) const;
  // Applies the branches again, each with its own sink, to find the alternative that comes closest.
  bool report_branches(const Op& op, const Frame& f) const;

  RunState& state_;
  Runner& runner_;
};

}  // namespace gantry::schema::detail

// Runs a program over one instance: applies nodes, follows references, keeps the depth and the
// resources entered, and collects what unevaluated* needs. One Runner per check, on one thread.
//
// Without a sink the first failure ends the run and nothing is allocated. With a sink every failure
// is described, and the run continues where further findings are useful.
#pragma once

#include <cstdint>
#include <span>

#include "run/array_rules.hpp"
#include "run/compare_rules.hpp"
#include "run/logic_rules.hpp"
#include "run/object_rules.hpp"
#include "run/run_state.hpp"
#include "run/scalar_rules.hpp"

namespace gantry::schema::detail {

class Runner {
 public:
  Runner(const Program& program, Sink* sink) : state_(program, sink) {}
  Runner(const Runner&) = delete;  // the rules refer to it
  Runner& operator=(const Runner&) = delete;

  // Whether `instance` satisfies the root schema, within the limits.
  bool check(const Json& instance);
  // The limit that ended the run, or null.
  const char* stopped() const { return state_.stopped(); }

  // For the rules: applies a node to f.value (f.node is ignored).
  bool run(std::uint32_t node, const Frame& f);

 private:
  bool run_scoped(const Node& node, Frame& f, Group group);
  bool run_unevaluated(const Node& node, const Frame& f, Group group);
  bool run_groups(const Node& node, const Frame& f, Group group);
  // The rules for one kind of value; null and booleans have none.
  bool run_kind(std::span<const Op> ops, const Frame& f, Group group);
  bool run_anything(const Op& op, const Frame& f);
  bool dynamic_ref(const Op& op, const Frame& f);
  std::span<const Op> ops(const Node& node, Group group) const {
    const Op* all = state_.program().ops.data();
    return {all + node.ends[group], all + node.ends[group + 1U]};
  }
  template <class Rule>
  bool run_each(std::span<const Op> ops, Rule rule);

  RunState state_;
  std::uint32_t depth_ = 0;
  ScalarRules scalars_{state_};
  CompareRules compare_{state_};
  ArrayRules arrays_{state_, compare_, *this};
  ObjectRules objects_{state_, *this};
  LogicRules logic_{state_, *this};
};

}  // namespace gantry::schema::detail

// expr/accumulators/accumulator.hpp: the accumulators of $group, $bucket and $setWindowFields.
//
// A plan is parsed once. Each group starts its own Accumulator and feeds it one document at a time.
// One thread at a time. Errors are thrown as QueryError.
#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "expr/expression.hpp"

namespace gantry::data::expr {

class Accumulator {
 public:
  virtual ~Accumulator() = default;
  // Adds the evaluated operand of one document.
  virtual void add(Value value) = 0;
  virtual Value result() const = 0;
};

class AccumulatorPlan {
 public:
  virtual ~AccumulatorPlan() = default;
  // `context` evaluates options that may depend on the group's key, such as n of $firstN: its
  // document is the key.
  virtual std::unique_ptr<Accumulator> start(Context& context) const = 0;
  // Evaluates the operand for the document of `context` and adds it.
  virtual void feed(Accumulator& accumulator, Context& context) const = 0;
  // Adds the paths that are read from the documents; paths in the group's key are not included.
  virtual void add_paths(std::set<std::string>& paths) const = 0;
};

// `spec` is {$sum: "$amount"}: exactly one accumulator. Refuses others, naming `field` (the output)
// and the nearest known name; $accumulator is refused as code.
std::unique_ptr<const AccumulatorPlan> parse_accumulator(std::string_view field, const Value& spec,
                                                         Variables& variables);

// Sorted; for messages and for $setWindowFields.
std::span<const std::string_view> accumulator_names();

}  // namespace gantry::data::expr

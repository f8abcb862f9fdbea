// expr/accumulator.hpp: what $group, $bucket and $setWindowFields gather over documents.
//
// A plan is read once; each group starts an Accumulator of its own and feeds it document by
// document. One thread at a time. Errors are thrown as QueryError.
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
  // One document's evaluated operand.
  virtual void add(Value value) = 0;
  virtual Value result() const = 0;
};

class AccumulatorPlan {
 public:
  virtual ~AccumulatorPlan() = default;
  // `context`: where options that may depend on the group's key are evaluated ($firstN's n, say):
  // the key is its document.
  virtual std::unique_ptr<Accumulator> start(Context& context) const = 0;
  // Evaluates the operand for the document of `context` and adds it.
  virtual void feed(Accumulator& accumulator, Context& context) const = 0;
  // Of the documents that are fed; of the key none.
  virtual void add_paths(std::set<std::string>& paths) const = 0;
};

// `spec` is {$sum: "$amount"}: exactly one accumulator. Refuses others, naming `field` (what the
// result is called) and the nearest known name; $accumulator as code.
std::unique_ptr<const AccumulatorPlan> parse_accumulator(std::string_view field, const Value& spec,
                                                         Variables& variables);

// Sorted; for messages and for $setWindowFields.
std::span<const std::string_view> accumulator_names();

}  // namespace gantry::data::expr

// pipeline/group_table.hpp: collects documents into groups, for $group, $bucket and similar stages.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "expr/accumulators/accumulator.hpp"
#include "pipeline/streams.hpp"

namespace gantry::data::pipeline {

// The outputs of a group: a name and an accumulator each. Immutable after parsing.
class Outputs {
 public:
  // Parses {name: {$sum: …}, …}; members named in `passed_over` (_id) are skipped.
  Outputs(std::string_view stage, const Value& spec, std::string_view passed_over,
          expr::Variables& variables);
  struct Output {
    std::string name;
    std::unique_ptr<const expr::AccumulatorPlan> plan;
  };
  const std::vector<Output>& list() const { return list_; }
  void add_paths(std::set<std::string>& paths) const;

 private:
  std::vector<Output> list_;
};

// The accumulators of groups, which have the numbers 0, 1, …
class Groups {
 public:
  explicit Groups(const Outputs& outputs) : outputs_(outputs.list()) {}
  // Begins a group. Expressions that depend on the group only, such as n of $firstN, see `id` as
  // their document (an empty one unless `id` is an object).
  void begin(const Value& id, expr::Context& context);
  // Adds the document of `context`.
  void feed(std::size_t group, expr::Context& context);
  // {_id: id, …}; a missing result becomes null. Frees what the group holds.
  Value finish(std::size_t group, Value id);

 private:
  using State = std::unique_ptr<expr::Accumulator>;
  const std::vector<Outputs::Output>& outputs_;
  std::vector<State, Metered<State>> states_;  // those of one group, then those of the next
  std::vector<Charge, Metered<Charge>> charges_;
};

// All groups, in the order of their first documents.
class GroupTable {
 public:
  explicit GroupTable(const Outputs& outputs) : groups_(outputs) {}
  void feed(const Value& id, expr::Context& context);
  // Returns all results and clears the table. Counts a step of `context` for each.
  Array finish(const expr::Context& context);

 private:
  ValueMap<std::size_t> places_;  // the numbers of the groups
  Array ids_;
  Groups groups_;
};

// Collects all of its input at the first next(), then returns the results.
class GroupStream : public Stream {
 public:
  GroupStream(StreamPtr input, expr::Context context, const Outputs& outputs,
              std::string_view stage)
      : input_(std::move(input)), context_(std::move(context)), stage_(stage), table_(outputs) {}
  bool next(Value& document) final;

 private:
  // The group key of the document in `context`.
  virtual Value id_of(expr::Context& context) const = 0;
  // Default: in the order of their first documents.
  virtual void arrange(Array& /*results*/) const {}
  void gather();

  StreamPtr input_;
  expr::Context context_;
  std::string_view stage_;
  GroupTable table_;
  Array results_;
  std::size_t at_ = 0;
};

}  // namespace gantry::data::pipeline

// pipeline/group_table.hpp: documents gathered by an id: $group, $bucket and their kin.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "expr/accumulator.hpp"
#include "pipeline/streams.hpp"

namespace gantry::data::pipeline {

// What is gathered: a name and an accumulator each. Immutable after it is read.
class Outputs {
 public:
  // {name: {$sum: …}, …}; `first` members of `spec` are passed over (_id).
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

// One group under way.
class Group {
 public:
  // What depends on the group, $firstN's n say, sees `id` as its document: none unless an object.
  Group(const Outputs& outputs, const Value& id, expr::Context& context);
  // Takes in the document of `context`.
  void feed(expr::Context& context);
  // {_id: id, …}; a result that is missing comes out as null.
  Value finish(Value id) const;

 private:
  const Outputs* outputs_;
  Charge charge_;
  std::vector<std::unique_ptr<expr::Accumulator>> states_;
};

// All groups, in the order of their first documents.
class GroupTable {
 public:
  explicit GroupTable(const Outputs& outputs) : outputs_(outputs) {}
  void feed(const Value& id, expr::Context& context);
  // All results; the table is empty afterwards. A step of `context` for each.
  Array finish(const expr::Context& context);

 private:
  const Outputs& outputs_;
  ValueMap<std::size_t> places_;
  Array ids_;
  std::vector<Group, Metered<Group>> groups_;
};

// Reads all of its input into groups at the first next(), then gives them out.
class GroupStream : public Stream {
 public:
  GroupStream(StreamPtr input, expr::Context context, const Outputs& outputs,
              std::string_view stage)
      : input_(std::move(input)), context_(std::move(context)), stage_(stage), table_(outputs) {}
  bool next(Value& document) final;

 private:
  // Which group the document of `context` belongs to.
  virtual Value id_of(expr::Context& context) const = 0;
  virtual void arrange(Array& /*results*/) const {}  // in the order of their first documents
  void gather();

  StreamPtr input_;
  expr::Context context_;
  std::string_view stage_;
  GroupTable table_;
  Array results_;
  std::size_t at_ = 0;
};

}  // namespace gantry::data::pipeline

// $setWindowFields: documents in partitions, sorted, with fields computed over their neighbours.
#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

#include "pipeline/stages.hpp"
#include "pipeline/walk.hpp"
#include "pipeline/window/window.hpp"
#include "values/sorting.hpp"

namespace gantry::data::pipeline {
namespace {

struct Output {
  Path path;
  WindowFunctionPtr function;
};

struct Plan {
  std::string name;
  expr::ExpressionPtr partition_by;  // null: one partition
  std::optional<SortOrder> order;
  std::vector<Output> outputs;
};

class WindowStream final : public Stream {
 public:
  WindowStream(StreamPtr input, expr::Context context, const Plan& plan)
      : input_(std::move(input)), context_(std::move(context)), plan_(plan) {}

  bool next(Value& document) override {
    if (at_ == ready_.size()) keeping(plan_.name, [this] { prepare(); });
    if (at_ == ready_.size()) return false;
    document = std::move(ready_[at_++]);
    return true;
  }

 private:
  using Keys = std::vector<SortKey, Metered<SortKey>>;

  // Reads the documents of the next partition, if there is one.
  void prepare() {
    if (input_) gather();
    while (at_ == ready_.size() && !partitions_.empty()) {
      finish(std::move(partitions_.extract(partitions_.begin()).mapped()));
    }
  }

  void gather() {
    Value document;
    while (input_->next(document)) {
      context_.step();
      look_at(context_, document);
      partitions_[partition_of()].push_back(std::move(document));
      document = Value();
    }
    input_.reset();
  }

  Value partition_of() {
    if (!plan_.partition_by) return Value::null();
    const Value value = plan_.partition_by->evaluate(context_);
    if (value.is_array()) refuse(plan_.name, "cannot partition by an array");
    return value.is_missing() ? Value::null() : value;
  }

  // Sorts the documents; returns their keys.
  Keys sort(Array& documents) const {
    Keys keys;
    if (!plan_.order) return keys;
    for (const Value& document : documents) {
      context_.step();
      keys.push_back(plan_.order->key_of(document));
    }
    std::vector<std::size_t, Metered<std::size_t>> places(documents.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    sort_stably(places, [&](std::size_t a, std::size_t b) {
      return plan_.order->compare(keys[a], keys[b]) < 0;
    });
    Array sorted;
    Keys sorted_keys;
    for (const std::size_t place : places) {
      sorted.push_back(std::move(documents[place]));
      sorted_keys.push_back(std::move(keys[place]));
    }
    documents = std::move(sorted);
    return sorted_keys;
  }

  void finish(Array documents) {
    const Keys keys = sort(documents);
    const Partition partition{documents, keys, plan_.order ? &*plan_.order : nullptr};
    std::vector<Array> columns;
    for (const Output& output : plan_.outputs) {
      output.function->run(partition, context_, columns.emplace_back());
    }
    for (std::size_t i = 0; i < documents.size(); ++i) {
      context_.step();
      for (std::size_t column = 0; column < columns.size(); ++column) {
        set_at(documents[i], plan_.outputs[column].path, std::move(columns[column][i]));
      }
    }
    ready_ = std::move(documents);
    at_ = 0;
  }

  StreamPtr input_;
  expr::Context context_;
  const Plan& plan_;
  std::map<Value, Array, ValueLess, Metered<std::pair<const Value, Array>>> partitions_;
  Array ready_;
  std::size_t at_ = 0;
};

class WindowStage final : public Stage {
 public:
  explicit WindowStage(Plan plan) : plan_(std::move(plan)) {}
  std::string_view name() const override { return plan_.name; }
  StreamPtr open(StreamPtr input, Run& run, const Array& slots) const override {
    return std::make_unique<WindowStream>(std::move(input), make_context(run, slots), plan_);
  }
  bool add_paths(std::set<std::string>& paths) const override {
    if (plan_.partition_by) plan_.partition_by->add_paths(paths);
    if (plan_.order) plan_.order->add_paths(paths);
    for (const Output& output : plan_.outputs) output.function->add_paths(paths);
    return true;
  }
  bool passes_others() const override { return true; }

 private:
  Plan plan_;
};

Sorting read_sorting(std::string_view name, const Value& spec, std::optional<SortOrder>& order) {
  if (spec.is_nullish()) return {};
  if (!spec.is_object()) refuse(name, "wants an object as sortBy, not " + kind_of(spec));
  if (spec.members().empty()) return {true, 0, true};
  order.emplace(name, spec);
  const Value& first = spec.members().front().value;
  return {true, spec.members().size(), first.is_number() && first.number() > 0};
}

bool is_inside(const Path& path, const Path& other) {
  return path.size() >= other.size() && std::equal(other.begin(), other.end(), path.begin());
}

// An output may not lie inside another one. In sorted order a nested path directly follows its
// parent.
void check_apart(std::string_view name, std::set<Path>& paths, const Path& path) {
  Spending::step_current();
  const auto [it, is_new] = paths.insert(path);
  const bool is_apart = is_new && (it == paths.begin() || !is_inside(path, *std::prev(it))) &&
                        (std::next(it) == paths.end() || !is_inside(*std::next(it), path));
  if (!is_apart) {
    refuse(name, "has two outputs of which one lies inside the other; name each field once");
  }
}

}  // namespace

StagePtr parse_set_window_fields(std::string_view name, const Value& spec, Reading& reading) {
  const Options options(name, spec, {"partitionBy", "sortBy", "output"});
  Plan plan;
  plan.name = name;
  const Sorting sorting = read_sorting(name, options["sortBy"], plan.order);
  if (options.has("partitionBy")) {
    plan.partition_by = expr::parse_expression(options["partitionBy"], reading.variables);
    const Value* constant = plan.partition_by->constant();
    if (constant != nullptr && constant->is_array()) refuse(name, "cannot partition by an array");
  }
  const Value& outputs = options.require("output");
  if (!outputs.is_object()) refuse(name, "wants an object as output, not " + kind_of(outputs));
  std::set<Path> paths;
  for (const Member& output : outputs.members()) {
    Path path = parse_path(name, "an output's name", output.name);
    check_apart(name, paths, path);
    plan.outputs.push_back(
        {std::move(path), read_window_function(name, output, sorting, reading.variables)});
  }
  return std::make_unique<WindowStage>(std::move(plan));
}

}  // namespace gantry::data::pipeline

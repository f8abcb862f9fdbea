// $sortByCount: the number of documents for each value, the most frequent first.
#include <algorithm>

#include "pipeline/spec.hpp"
#include "pipeline/stages.hpp"
#include "pipeline/streams.hpp"
#include "values/sorting.hpp"

namespace gantry::data::pipeline {
namespace {

struct Counted {
  Value value;
  std::int64_t count;
};

class CountsStream final : public Stream {
 public:
  CountsStream(StreamPtr input, expr::Context context, const expr::Expression& by)
      : input_(std::move(input)), context_(std::move(context)), by_(by) {}

  bool next(Value& document) override {
    if (input_) keeping("$sortByCount", [this] { gather(); });
    if (at_ == counts_.size()) return false;
    Counted& counted = counts_[at_++];
    document = ObjectBuilder()
                   .add("_id", std::move(counted.value))
                   .add("count", Value::integer(counted.count))
                   .build();
    return true;
  }

 private:
  void gather() {
    ValueMap<std::size_t> places;
    for (Value document; input_->next(document);) {
      context_.step();
      look_at(context_, document);
      Value value = by_.evaluate(context_);
      if (value.is_missing()) value = Value::null();
      const auto [it, is_new] = places.try_emplace(value, counts_.size());
      if (is_new) counts_.push_back({std::move(value), 0});
      ++counts_[it->second].count;
    }
    input_.reset();
    sort_stably(counts_, [](const Counted& a, const Counted& b) { return a.count > b.count; });
  }

  StreamPtr input_;
  expr::Context context_;
  const expr::Expression& by_;
  std::vector<Counted, Metered<Counted>> counts_;
  std::size_t at_ = 0;
};

class CountsStage final : public Stage {
 public:
  explicit CountsStage(expr::ExpressionPtr by) : by_(std::move(by)) {}
  std::string_view name() const override { return "$sortByCount"; }
  StreamPtr open(StreamPtr input, Run& run, const Array& slots) const override {
    return std::make_unique<CountsStream>(std::move(input), make_context(run, slots), *by_);
  }
  bool add_paths(std::set<std::string>& paths) const override {
    by_->add_paths(paths);
    return true;
  }

 private:
  expr::ExpressionPtr by_;
};

bool is_groupable(const Value& spec) {
  if (spec.is_string()) return spec.text().starts_with("$");
  return spec.is_object() && spec.members().size() == 1 &&
         spec.members().front().name.starts_with("$");
}

}  // namespace

StagePtr parse_sort_by_count(std::string_view name, const Value& spec, Reading& reading) {
  if (!is_groupable(spec)) {
    refuse(name, "wants a field like \"$field\" or one expression like {$toLower: \"$field\"}");
  }
  return std::make_unique<CountsStage>(expr::parse_expression(spec, reading.variables));
}

}  // namespace gantry::data::pipeline

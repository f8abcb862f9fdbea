// $bucketAuto: groups of about the same size, by ranges of a value.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "pipeline/buckets.hpp"
#include "pipeline/granularity.hpp"
#include "pipeline/spec.hpp"
#include "pipeline/stages.hpp"
#include "values/sorting.hpp"

namespace gantry::data::pipeline {
namespace {

struct AutoBucketing {
  expr::ExpressionPtr by;
  std::int64_t buckets = 1;
  std::optional<Granularity> granularity;
};

struct Item {
  Value value;
  Value document;
};

class BucketAutoStream final : public Stream {
 public:
  BucketAutoStream(StreamPtr input, expr::Context context, const AutoBucketing& how,
                   const Outputs& outputs)
      : input_(std::move(input)), context_(std::move(context)), how_(how), outputs_(outputs) {}

  bool next(Value& document) override {
    if (input_) keeping("$bucketAuto", [this] { gather(); });
    if (at_ == items_.size()) return false;
    document = next_bucket();
    return true;
  }

 private:
  void gather() {
    for (Value document; input_->next(document);) {
      context_.step();
      look_at(context_, document);
      Value value = how_.by->evaluate(context_);
      if (value.is_missing()) value = Value::null();
      check(value);
      items_.push_back({std::move(value), std::move(document)});
    }
    input_.reset();
    sort_stably(items_, [](const Item& a, const Item& b) { return compare(a.value, b.value) < 0; });
    const double size = static_cast<double>(items_.size()) / static_cast<double>(how_.buckets);
    size_ = std::max<std::size_t>(1, static_cast<std::size_t>(std::round(size)));
  }

  void check(const Value& value) const {
    if (!how_.granularity) return;
    const bool is_good = value.is_number() && value.number() >= 0;
    if (!is_good) {
      refuse(
          "$bucketAuto",
          "with 'granularity' each document's value must be a number that is not negative; leave "
          "others out with $match");
    }
  }

  Value next_bucket() {
    const bool is_last = ++made_ == how_.buckets;
    const std::size_t begin = at_;
    std::size_t end = is_last ? items_.size() : std::min(items_.size(), begin + size_);
    Value low = items_[begin].value;
    Value high;
    if (how_.granularity) {
      low = high_.is_missing() ? how_.granularity->round_down(low.number()) : high_;
      end = rounded_end(end, high);
    } else {
      end = end_of_ties(end, high);
    }
    high_ = high;
    return make(std::move(low), std::move(high), begin, end);
  }

  // Extends the bucket so that equal values stay together.
  std::size_t end_of_ties(std::size_t end, Value& high) const {
    high = items_[end - 1].value;
    for (; end < items_.size() && items_[end].value == high; ++end) context_.step();
    if (end < items_.size()) high = items_[end].value;
    return end;
  }

  std::size_t rounded_end(std::size_t end, Value& high) const {
    const Granularity& granularity = *how_.granularity;
    high = granularity.round_up(items_[end - 1].value.number());
    for (; end < items_.size() && compare(items_[end].value, high) < 0; ++end) context_.step();
    if (high.number() == 0 && end < items_.size()) {
      high = granularity.round_down(items_[end].value.number());
    }
    return end;
  }

  Value make(Value low, Value high, std::size_t begin, std::size_t end) {
    const Value id = ObjectBuilder().add("min", std::move(low)).add("max", std::move(high)).build();
    Groups group(outputs_);
    group.begin(Value(), context_);  // no group key is available to all its documents
    for (at_ = begin; at_ < end; ++at_) {
      context_.step();
      look_at(context_, items_[at_].document);
      group.feed(0, context_);
      items_[at_].document = Value();
    }
    return group.finish(0, id);
  }

  StreamPtr input_;
  expr::Context context_;
  const AutoBucketing& how_;
  const Outputs& outputs_;
  std::vector<Item, Metered<Item>> items_;
  std::size_t size_ = 1;
  std::size_t at_ = 0;
  std::int64_t made_ = 0;
  Value high_;  // of the previous bucket
};

class BucketAutoStage final : public Stage {
 public:
  BucketAutoStage(AutoBucketing how, Outputs outputs)
      : how_(std::move(how)), outputs_(std::move(outputs)) {}
  std::string_view name() const override { return "$bucketAuto"; }
  StreamPtr open(StreamPtr input, Run& run, const Array& slots) const override {
    return std::make_unique<BucketAutoStream>(std::move(input), make_context(run, slots), how_,
                                              outputs_);
  }
  bool add_paths(std::set<std::string>& paths) const override {
    how_.by->add_paths(paths);
    outputs_.add_paths(paths);
    return true;
  }

 private:
  AutoBucketing how_;
  Outputs outputs_;
};

}  // namespace

StagePtr parse_bucket_auto(std::string_view name, const Value& spec, Reading& reading) {
  const Options options(name, spec, {"groupBy", "buckets", "output", "granularity"});
  const Value& by = options.require("groupBy");
  check_group_by(name, by);
  AutoBucketing how;
  how.by = expr::parse_expression(by, reading.variables);
  how.buckets = whole_number(name, "'buckets'", options.require("buckets"));
  if (how.buckets < 1 || how.buckets > std::numeric_limits<std::int32_t>::max()) {
    refuse(name, "'buckets' must be between 1 and 2147483647");
  }
  if (options.has("granularity")) how.granularity.emplace(options.text("granularity"));
  const Value& output = options["output"];
  const bool is_empty = output.is_object() && output.members().empty();
  return std::make_unique<BucketAutoStage>(
      std::move(how), read_outputs(name, is_empty ? Value() : output, reading));
}

}  // namespace gantry::data::pipeline

// $sum, $avg, $push, … over windows, and the covariances, which exist only for windows.
#include <algorithm>
#include <array>
#include <utility>

#include "expr/accumulators/accumulator.hpp"
#include "pipeline/window/window.hpp"

namespace gantry::data::pipeline {
namespace {

// Accumulators whose result does not depend on the order of their input.
bool takes_any_order(std::string_view name) {
  static constexpr std::array<std::string_view, 11> kNames = {
      "$avg", "$count",      "$covariancePop", "$covarianceSamp", "$max", "$median",
      "$min", "$percentile", "$stdDevPop",     "$stdDevSamp",     "$sum"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

// If the frame only grew, adds the new documents; otherwise starts again. Frames that extend to the
// partition's end are computed from the end.
class Accumulating final : public WindowFunction {
 public:
  Accumulating(std::string_view name, std::unique_ptr<const expr::AccumulatorPlan> plan,
               Window window)
      : backwards_(takes_any_order(name) && window.reaches_the_end()),
        plan_(std::move(plan)),
        window_(std::move(window)) {}

  void run(const Partition& partition, expr::Context& context, Array& results) const override {
    const std::size_t size = partition.size();
    Progress way{partition, context, nullptr, {}, {}};
    for (std::size_t i = 0; i < size; ++i) {
      context.step();
      results.push_back(result_for(backwards_ ? size - 1 - i : i, way));
    }
    if (backwards_) std::reverse(results.begin(), results.end());
  }
  void add_paths(std::set<std::string>& paths) const override { plan_->add_paths(paths); }

 private:
  // The state after the previous document.
  struct Progress {
    const Partition& partition;
    expr::Context& context;
    std::unique_ptr<expr::Accumulator> state;
    Frame frame;
    Value result;
  };

  Value result_for(std::size_t i, Progress& way) const {
    const Frame frame = window_.frame(way.partition, i);
    if (way.state && frame == way.frame) return way.result;
    const Frame last = std::exchange(way.frame, frame);
    const bool grew_up = way.state && frame.begin == last.begin && frame.end >= last.end;
    const bool grew_down =
        backwards_ && way.state && frame.end == last.end && frame.begin <= last.begin;
    if (!grew_up && !grew_down) start(way);
    feed({grew_up ? last.end : frame.begin, grew_down ? last.begin : frame.end}, way);
    way.result = way.state->result();
    if (way.result.is_missing()) way.result = Value::null();
    return way.result;
  }

  // Expressions that depend on a group's key, such as n of $firstN, have none here.
  void start(Progress& way) const {
    look_at(way.context, ObjectBuilder().build());
    way.state = plan_->start(way.context);
  }
  void feed(const Frame& frame, Progress& way) const {
    for (std::size_t i = frame.begin; i < frame.end; ++i) {
      way.context.step();
      look_at(way.context, way.partition.documents[i]);
      plan_->feed(*way.state, way.context);
    }
  }

  bool backwards_;
  std::unique_ptr<const expr::AccumulatorPlan> plan_;
  Window window_;
};

// The covariance of two numbers, updated incrementally.
class Covariance final : public expr::Accumulator {
 public:
  explicit Covariance(bool sample) : sample_(sample) {}
  // `value` is a pair; other values are ignored.
  void add(Value value) override {
    if (!value.is_array() || value.elements().size() != 2) return;
    const Value& a = value.elements()[0];
    const Value& b = value.elements()[1];
    if (!a.is_number() || !b.is_number()) return;
    count_ += 1;
    const double from_mean = a.number() - mean_a_;
    mean_a_ += from_mean / count_;
    mean_b_ += (b.number() - mean_b_) / count_;
    product_ += from_mean * (b.number() - mean_b_);
  }
  Value result() const override {
    const double among = sample_ ? count_ - 1 : count_;
    return among > 0 ? Value::real(product_ / among) : Value::null();
  }

 private:
  bool sample_;
  double count_ = 0, mean_a_ = 0, mean_b_ = 0, product_ = 0;
};

class CovariancePlan final : public expr::AccumulatorPlan {
 public:
  CovariancePlan(bool sample, expr::ExpressionPtr pair) : sample_(sample), pair_(std::move(pair)) {}
  std::unique_ptr<expr::Accumulator> start(expr::Context&) const override {
    return std::make_unique<Covariance>(sample_);
  }
  void feed(expr::Accumulator& accumulator, expr::Context& context) const override {
    accumulator.add(pair_->evaluate(context));
  }
  void add_paths(std::set<std::string>& paths) const override { pair_->add_paths(paths); }

 private:
  bool sample_;
  expr::ExpressionPtr pair_;
};

Value alone(const WindowCall& call) { return ObjectBuilder().set(call.name, call.operand).build(); }

}  // namespace

WindowFunctionPtr read_accumulating(const WindowCall& call) {
  return std::make_unique<Accumulating>(
      call.name, expr::parse_accumulator(call.field, alone(call), call.variables),
      call.read_window());
}

WindowFunctionPtr read_covariance(const WindowCall& call) {
  if (!call.operand.is_array() || call.operand.elements().size() != 2) {
    call.refuse_call("wants an array of two expressions");
  }
  auto plan = std::make_unique<CovariancePlan>(
      call.name == "$covarianceSamp", expr::parse_expression(call.operand, call.variables));
  return std::make_unique<Accumulating>(call.name, std::move(plan), call.read_window());
}

}  // namespace gantry::data::pipeline

// $sum, $avg, $push, … over windows, and the covariances, which exist only there.
#include <algorithm>
#include <array>

#include "expr/accumulator.hpp"
#include "pipeline/window.hpp"

namespace gantry::data::pipeline {
namespace {

// Adds what has come to the frame where it only grew, else begins anew.
class Accumulating final : public WindowFunction {
 public:
  Accumulating(std::unique_ptr<const expr::AccumulatorPlan> plan, Window window)
      : plan_(std::move(plan)), window_(std::move(window)) {}

  void run(const Partition& partition, expr::Context& context, Kept& kept,
           Array& results) const override {
    std::unique_ptr<expr::Accumulator> state;
    Frame last;
    for (std::size_t i = 0; i < partition.size(); ++i) {
      const Frame frame = window_.frame(partition, i);
      if (state && frame == last) {
        results.push_back(results.back());
        continue;
      }
      const bool grew = state && frame.begin == last.begin && frame.end >= last.end;
      if (!grew) state = start(partition, frame.size() > 0 ? frame.begin : i, context);
      feed(partition, {grew ? last.end : frame.begin, frame.end}, *state, context);
      const Value result = state->result();
      kept.add(weight_of(result));
      results.push_back(result.is_missing() ? Value::null() : result);
      last = frame;
    }
  }
  void add_paths(std::set<std::string>& paths) const override { plan_->add_paths(paths); }

 private:
  std::unique_ptr<expr::Accumulator> start(const Partition& partition, std::size_t first,
                                           expr::Context& context) const {
    look_at(context, partition.documents[first]);
    return plan_->start(context);
  }
  void feed(const Partition& partition, const Frame& frame, expr::Accumulator& state,
            expr::Context& context) const {
    for (std::size_t i = frame.begin; i < frame.end; ++i) {
      context.step();
      look_at(context, partition.documents[i]);
      plan_->feed(state, context);
    }
  }

  std::unique_ptr<const expr::AccumulatorPlan> plan_;
  Window window_;
};

// How two numbers vary together, updated value by value.
class Covariance final : public expr::Accumulator {
 public:
  explicit Covariance(bool sample) : sample_(sample) {}
  // A pair; others do not count.
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
      expr::parse_accumulator(call.field, alone(call), call.variables), call.read_window());
}

WindowFunctionPtr read_covariance(const WindowCall& call) {
  if (!call.operand.is_array() || call.operand.elements().size() != 2) {
    call.refuse_call("wants an array of two expressions");
  }
  auto plan = std::make_unique<CovariancePlan>(
      call.name == "$covarianceSamp", expr::parse_expression(call.operand, call.variables));
  return std::make_unique<Accumulating>(std::move(plan), call.read_window());
}

}  // namespace gantry::data::pipeline

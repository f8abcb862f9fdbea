#include "expr/accumulators/accumulator_plans.hpp"

namespace gantry::data::expr {
namespace {

class SimplePlan final : public AccumulatorPlan {
 public:
  SimplePlan(Started (*begin)(), ExpressionPtr operand)
      : start_(begin), operand_(std::move(operand)) {}

  Started start(Context& /*context*/) const override { return start_(); }
  void feed(Accumulator& accumulator, Context& context) const override {
    accumulator.add(operand_->evaluate(context));
  }
  void add_paths(std::set<std::string>& paths) const override { operand_->add_paths(paths); }

 private:
  Started (*start_)();
  ExpressionPtr operand_;
};

class CountPlan final : public AccumulatorPlan {
 public:
  Started start(Context& /*context*/) const override { return std::make_unique<Count>(); }
  void feed(Accumulator& accumulator, Context& /*context*/) const override {
    accumulator.add(Value());
  }
  void add_paths(std::set<std::string>& /*paths*/) const override {}
};

class SomePlan final : public AccumulatorPlan {
 public:
  using Start = Started (*)(std::size_t n);
  SomePlan(std::string_view op, Start begin, ExpressionPtr n, ExpressionPtr input)
      : op_(op), start_(begin), n_(std::move(n)), input_(std::move(input)) {}

  Started start(Context& context) const override {
    return start_(read_count(op_, n_->evaluate(context)));
  }
  void feed(Accumulator& accumulator, Context& context) const override {
    accumulator.add(input_->evaluate(context));
  }
  void add_paths(std::set<std::string>& paths) const override { input_->add_paths(paths); }

 private:
  std::string_view op_;
  Start start_;
  ExpressionPtr n_;
  ExpressionPtr input_;
};

class RankingPlan final : public AccumulatorPlan {
 public:
  RankingPlan(std::string_view op, Side side, SortOrder order, ExpressionPtr output,
              ExpressionPtr n)
      : op_(op),
        side_(side),
        order_(std::move(order)),
        output_(std::move(output)),
        n_(std::move(n)) {}

  Started start(Context& context) const override {
    const std::size_t n = n_ ? read_count(op_, n_->evaluate(context)) : 1;
    const auto shape = n_ ? Ranking::Shape::array : Ranking::Shape::single;
    return std::make_unique<Ranking>(&order_, side_, n, shape);
  }
  void feed(Accumulator& accumulator, Context& context) const override {
    static_cast<Ranking&>(accumulator)
        .add_keyed(order_.key_of(context.root), output_->evaluate(context));
  }
  void add_paths(std::set<std::string>& paths) const override {
    order_.add_paths(paths);
    output_->add_paths(paths);
  }

 private:
  std::string_view op_;
  Side side_;
  SortOrder order_;
  ExpressionPtr output_;
  ExpressionPtr n_;
};

class QuantilePlan final : public AccumulatorPlan {
 public:
  explicit QuantilePlan(QuantileOptions options) : options_(std::move(options)) {}

  Started start(Context& /*context*/) const override {
    return std::make_unique<Quantiles>(options_.start());
  }
  void feed(Accumulator& accumulator, Context& context) const override {
    accumulator.add(options_.input->evaluate(context));
  }
  void add_paths(std::set<std::string>& paths) const override { options_.input->add_paths(paths); }

 private:
  QuantileOptions options_;
};

}  // namespace

PlanPtr simple_plan(Started (*start)(), ExpressionPtr operand) {
  return std::make_unique<SimplePlan>(start, std::move(operand));
}

PlanPtr count_plan() { return std::make_unique<CountPlan>(); }

PlanPtr some_plan(std::string_view op, Started (*start)(std::size_t n), ExpressionPtr n,
                  ExpressionPtr input) {
  return std::make_unique<SomePlan>(op, start, std::move(n), std::move(input));
}

PlanPtr ranking_plan(std::string_view op, Side side, SortOrder order, ExpressionPtr output,
                     ExpressionPtr n) {
  return std::make_unique<RankingPlan>(op, side, std::move(order), std::move(output), std::move(n));
}

PlanPtr quantile_plan(QuantileOptions options) {
  return std::make_unique<QuantilePlan>(std::move(options));
}

}  // namespace gantry::data::expr

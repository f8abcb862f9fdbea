// $derivative, $integral and $expMovingAvg: values over time, or over another number.
#include <cmath>

#include "pipeline/apply.hpp"
#include "pipeline/window/window.hpp"

namespace gantry::data::pipeline {
namespace {

// Reads a sortBy field as a number: directly, or a date in time units.
class Axis {
 public:
  Axis(std::string_view op, const Value& unit) : op_(op) {
    if (unit.is_missing()) return;
    unit_ms_ = length_of(expr::unit_of(op, unit));
    if (unit_ms_ == 0) refuse(op, "wants a unit of fixed length: week, day, hour or less");
  }
  double at(const Value& position) const {
    if (unit_ms_ > 0 && !position.is_date()) {
      refuse(op_, "with a unit needs dates in the sortBy field, not " + kind_of(position));
    }
    if (unit_ms_ == 0 && !position.is_number()) {
      refuse(op_,
             "needs numbers in the sortBy field, or dates and a unit, not " + kind_of(position));
    }
    return unit_ms_ > 0 ? static_cast<double>(position.integer()) / static_cast<double>(unit_ms_)
                        : position.number();
  }
  // Exact where both are dates.
  double between(const Value& from, const Value& to) const {
    const double distance = at(to) - at(from);
    if (unit_ms_ == 0) return distance;
    return (static_cast<double>(to.integer()) - static_cast<double>(from.integer())) /
           static_cast<double>(unit_ms_);
  }

 private:
  static std::int64_t length_of(expr::Unit unit) {
    switch (unit) {
      case expr::Unit::week:
        return 7 * expr::kDay;
      case expr::Unit::day:
        return expr::kDay;
      case expr::Unit::hour:
        return expr::kHour;
      case expr::Unit::minute:
        return expr::kMinute;
      case expr::Unit::second:
        return expr::kSecond;
      case expr::Unit::millisecond:
        return 1;
      default:
        return 0;
    }
  }

  std::string op_;
  std::int64_t unit_ms_ = 0;
};

// A number, or nothing for null and missing; refuses others.
std::optional<double> number_of(std::string_view op, const Value& value) {
  if (value.is_nullish()) return std::nullopt;
  if (!value.is_number()) refuse(op, "needs numbers, not " + kind_of(value));
  return value.number();
}

class OverAxis : public WindowFunction {
 public:
  OverAxis(std::string_view op, expr::ExpressionPtr input, Axis axis, Window window)
      : op_(op), input_(std::move(input)), axis_(std::move(axis)), window_(std::move(window)) {}
  void run(const Partition& partition, expr::Context& context, Array& results) const override {
    const Array values = evaluate_each(*input_, partition, context);
    for (std::size_t i = 0; i < partition.size(); ++i) {
      context.step();
      results.push_back(over(partition, values, window_.frame(partition, i), context));
    }
  }
  void add_paths(std::set<std::string>& paths) const override { input_->add_paths(paths); }

 protected:
  virtual Value over(const Partition& partition, const Array& values, const Frame& frame,
                     expr::Context& context) const = 0;
  std::string op_;
  expr::ExpressionPtr input_;
  Axis axis_;
  Window window_;
};

// The change from the first document of the window to its last.
class Derivative final : public OverAxis {
 public:
  using OverAxis::OverAxis;

 private:
  Value over(const Partition& partition, const Array& values, const Frame& frame,
             expr::Context&) const override {
    if (frame.size() < 2) return Value::null();
    const std::size_t last = frame.end - 1;
    const double run = axis_.between(partition.position(frame.begin), partition.position(last));
    const Value rise = apply("$subtract", values[last], values[frame.begin]);
    if (rise.is_nullish() || run == 0) return Value::null();
    if (!rise.is_number()) refuse(op_, "needs numbers or dates, not both");
    return Value::real(rise.number() / run);
  }
};

// The area under the values, by trapezoids between neighbours.
class Integral final : public OverAxis {
 public:
  using OverAxis::OverAxis;

 private:
  Value over(const Partition& partition, const Array& values, const Frame& frame,
             expr::Context& context) const override {
    std::optional<std::size_t> before;
    double area = 0;
    for (std::size_t i = frame.begin; i < frame.end; ++i) {
      context.step();
      const auto value = number_of(op_, values[i]);
      axis_.at(partition.position(i));
      if (!value) continue;
      if (before) {
        const double width = axis_.between(partition.position(*before), partition.position(i));
        area += width * (values[*before].number() + *value) / 2;
      }
      before = i;
    }
    return before ? Value::real(area) : Value::null();
  }
};

class MovingAverage final : public WindowFunction {
 public:
  MovingAverage(expr::ExpressionPtr input, double weight)
      : input_(std::move(input)), weight_(weight) {}
  // Values that are not numbers leave the average unchanged.
  void run(const Partition& partition, expr::Context& context, Array& results) const override {
    Value average = Value::null();
    for (const Value& value : evaluate_each(*input_, partition, context)) {
      context.step();
      if (value.is_number()) {
        average = average.is_nullish()
                      ? value
                      : Value::real(value.number() * weight_ + average.number() * (1 - weight_));
      }
      results.push_back(average);
    }
  }
  void add_paths(std::set<std::string>& paths) const override { input_->add_paths(paths); }

 private:
  expr::ExpressionPtr input_;
  double weight_;
};

template <class Function>
WindowFunctionPtr read_over_axis(const WindowCall& call) {
  call.need_one_field();
  const Options options(call.name, call.operand, {"input", "unit"});
  Axis axis(call.name, options["unit"]);
  return std::make_unique<Function>(
      call.name, expr::parse_expression(options.require("input"), call.variables), std::move(axis),
      call.read_window());
}

double weight_of_recent(const WindowCall& call, const Options& options) {
  if (options.has("N") == options.has("alpha")) call.refuse_call("wants either 'N' or 'alpha'");
  if (options.has("N")) {
    const std::int64_t count = whole_number(call.name, "'N'", options["N"]);
    if (count <= 0) call.refuse_call("wants 'N' above zero");
    return 2 / (static_cast<double>(count) + 1);
  }
  const Value& alpha = options["alpha"];
  if (!alpha.is_number() || !(alpha.number() > 0 && alpha.number() < 1)) {
    call.refuse_call("wants 'alpha' between 0 and 1, both excluded");
  }
  return alpha.number();
}

}  // namespace

WindowFunctionPtr read_derivative(const WindowCall& call) {
  if (call.window == nullptr) call.refuse_call("needs a window with bounds");
  return read_over_axis<Derivative>(call);
}

WindowFunctionPtr read_integral(const WindowCall& call) { return read_over_axis<Integral>(call); }

WindowFunctionPtr read_moving_average(const WindowCall& call) {
  call.refuse_window();
  call.need_sort();
  const Options options(call.name, call.operand, {"input", "N", "alpha"});
  const double weight = weight_of_recent(call, options);
  return std::make_unique<MovingAverage>(
      expr::parse_expression(options.require("input"), call.variables), weight);
}

}  // namespace gantry::data::pipeline

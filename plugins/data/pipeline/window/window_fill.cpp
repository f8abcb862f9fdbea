// $locf and $linearFill: values for documents that lack one.
#include <algorithm>

#include "pipeline/window/window.hpp"

namespace gantry::data::pipeline {
namespace {

class LastSeen final : public WindowFunction {
 public:
  explicit LastSeen(expr::ExpressionPtr input) : input_(std::move(input)) {}
  void run(const Partition& partition, expr::Context& context, Array& results) const override {
    Value last = Value::null();
    for (const Value& value : evaluate_each(*input_, partition, context)) {
      context.step();
      if (!value.is_nullish()) last = value;
      results.push_back(last);
    }
  }
  void add_paths(std::set<std::string>& paths) const override { input_->add_paths(paths); }

 private:
  expr::ExpressionPtr input_;
};

// Linear interpolation between existing values by the sortBy field; null before the first and after
// the last.
class LinearFill final : public WindowFunction {
 public:
  explicit LinearFill(expr::ExpressionPtr input) : input_(std::move(input)) {}
  void run(const Partition& partition, expr::Context& context, Array& results) const override {
    check_positions(partition, context);
    const Array values = evaluate_each(*input_, partition, context);
    std::optional<std::size_t> known;
    for (std::size_t i = 0; i < values.size(); ++i) {
      context.step();
      if (values[i].is_nullish()) continue;
      if (!values[i].is_number()) refuse(kName, "fills numbers only, not " + kind_of(values[i]));
      if (known) fill(partition, values, *known, i, results);
      results.resize(i, Value::null());
      results.push_back(values[i]);
      known = i;
    }
    results.resize(values.size(), Value::null());
  }
  void add_paths(std::set<std::string>& paths) const override { input_->add_paths(paths); }

 private:
  static constexpr std::string_view kName = "$linearFill";

  static double position(const Partition& partition, std::size_t i) {
    const Value& value = partition.position(i);
    if (value.is_date()) return static_cast<double>(value.integer());
    if (!value.is_number()) {
      refuse(kName, "needs numbers or dates in the sortBy field, not " + kind_of(value));
    }
    return value.number();
  }

  static void check_positions(const Partition& partition, const expr::Context& context) {
    for (std::size_t i = 0; i < partition.size(); ++i) {
      context.step();
      position(partition, i);
      if (i == 0) continue;
      const Value& before = partition.position(i - 1);
      if (before.is_date() != partition.position(i).is_date()) {
        refuse(kName, "needs numbers or dates in the sortBy field, not both");
      }
      if (compare(before, partition.position(i)) == 0) {
        refuse(kName, "needs different values in the sortBy field of a partition");
      }
    }
  }

  static void fill(const Partition& partition, const Array& values, std::size_t from,
                   std::size_t to, Array& results) {
    const double begin = position(partition, from);
    const double first = values[from].number();
    const double slope = (values[to].number() - first) / (position(partition, to) - begin);
    for (std::size_t i = from + 1; i < to; ++i) {
      results.push_back(Value::real(first + slope * (position(partition, i) - begin)));
    }
  }

  expr::ExpressionPtr input_;
};

}  // namespace

WindowFunctionPtr read_last_seen(const WindowCall& call) {
  call.refuse_window();
  return std::make_unique<LastSeen>(expr::parse_expression(call.operand, call.variables));
}

WindowFunctionPtr read_linear_fill(const WindowCall& call) {
  call.refuse_window();
  call.need_one_field();
  return std::make_unique<LinearFill>(expr::parse_expression(call.operand, call.variables));
}

}  // namespace gantry::data::pipeline

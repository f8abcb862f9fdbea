// $rank, $denseRank, $documentNumber and $shift: functions of a document's position only.
#include "pipeline/window/window.hpp"

namespace gantry::data::pipeline {
namespace {

enum class Counting { places, distinct, documents };

class Rank final : public WindowFunction {
 public:
  explicit Rank(Counting counting) : counting_(counting) {}
  void run(const Partition& partition, expr::Context& context, Array& results) const override {
    std::int64_t rank = 0;
    for (std::size_t i = 0; i < partition.size(); ++i) {
      context.step();
      const bool same =
          i > 0 && partition.order->compare(partition.keys[i - 1], partition.keys[i]) == 0;
      if (counting_ == Counting::documents || (counting_ == Counting::places && !same)) {
        rank = std::int64_t(i) + 1;
      } else if (counting_ == Counting::distinct && !same) {
        ++rank;
      }
      results.push_back(Value::integer(rank));
    }
  }
  void add_paths(std::set<std::string>&) const override {}

 private:
  Counting counting_;
};

class Shift final : public WindowFunction {
 public:
  Shift(expr::ExpressionPtr output, std::int64_t by, Value otherwise)
      : output_(std::move(output)), by_(by), otherwise_(std::move(otherwise)) {}
  void run(const Partition& partition, expr::Context& context, Array& results) const override {
    for (std::size_t i = 0; i < partition.size(); ++i) {
      context.step();
      const std::int64_t at = std::int64_t(i) + by_;
      if (at < 0 || at >= std::int64_t(partition.size())) {
        results.push_back(otherwise_);
        continue;
      }
      look_at(context, partition.documents[static_cast<std::size_t>(at)]);
      const Value value = output_->evaluate(context);
      results.push_back(value.is_missing() ? Value::null() : value);
    }
  }
  void add_paths(std::set<std::string>& paths) const override { output_->add_paths(paths); }

 private:
  expr::ExpressionPtr output_;
  std::int64_t by_;
  Value otherwise_;
};

constexpr std::int64_t kFarthest = 2'147'483'647;

Value default_of(const WindowCall& call, const Options& options) {
  if (!options.has("default")) return Value::null();
  const auto expression = expr::parse_expression(options["default"], call.variables);
  if (expression->constant() == nullptr) {
    call.refuse_call("wants a constant as 'default'");
  }
  return expression->constant()->is_missing() ? Value::null() : *expression->constant();
}

}  // namespace

WindowFunctionPtr read_rank(const WindowCall& call) {
  call.refuse_window();
  if (!call.operand.is_object() || !call.operand.members().empty()) {
    call.refuse_call("takes an empty object");
  }
  call.need_one_field();
  if (call.name == "$documentNumber") return std::make_unique<Rank>(Counting::documents);
  return std::make_unique<Rank>(call.name == "$rank" ? Counting::places : Counting::distinct);
}

WindowFunctionPtr read_shift(const WindowCall& call) {
  call.refuse_window();
  call.need_sort();
  const Options options(call.name, call.operand, {"output", "by", "default"});
  const std::int64_t by = whole_number(call.name, "'by'", options.require("by"));
  if (by > kFarthest || by < -kFarthest) call.refuse_call("wants 'by' within 32 bits");
  return std::make_unique<Shift>(expr::parse_expression(options.require("output"), call.variables),
                                 by, default_of(call, options));
}

}  // namespace gantry::data::pipeline

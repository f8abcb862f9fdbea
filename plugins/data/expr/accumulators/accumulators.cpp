// The accumulators that are also expressions: over an array, or over a list of arguments.
#include "expr/accumulators/accumulator_options.hpp"
#include "expr/accumulators/gather_numbers.hpp"
#include "expr/accumulators/gather_values.hpp"
#include "expr/accumulators/ranking.hpp"
#include "expr/registry.hpp"

namespace gantry::data::expr {
namespace {

Value gathered(Accumulator& gathering, std::span<const Value> values) {
  for (const Value& value : values) {
    Spending::step_current();
    gathering.add(value);
  }
  return gathering.result();
}

// {$sum: "$list"}: a single argument that is an array is replaced by its elements. In a longer list
// of arguments an array is an ordinary value.
template <class Gathering>
Value gather(Gathering gathering, Arguments arguments) {
  const bool is_list = arguments.size() == 1 && arguments[0].is_array();
  return gathered(gathering, is_list ? std::span(arguments[0].elements()) : arguments);
}

Value sum(Arguments arguments, Context& /*context*/) { return gather(Sum(), arguments); }

Value average(Arguments arguments, Context& /*context*/) {
  return gather(Average(Average::Longs::as_doubles), arguments);
}

Value population_deviation(Arguments arguments, Context& /*context*/) {
  return gather(Deviation(Deviation::Of::population), arguments);
}

Value sample_deviation(Arguments arguments, Context& /*context*/) {
  return gather(Deviation(Deviation::Of::sample), arguments);
}

Value least(Arguments arguments, Context& /*context*/) {
  return gather(ExtremeValue(Extreme::least), arguments);
}

Value greatest(Arguments arguments, Context& /*context*/) {
  return gather(ExtremeValue(Extreme::greatest), arguments);
}

// An empty array has no first or last element: the result is missing.
Value end_of(std::string_view op, const Value& list, End end) {
  if (list.is_nullish()) return Value::null();
  if (!list.is_array()) refuse_type(op, "an array", list);
  const Array& elements = list.elements();
  if (elements.empty()) return Value();
  return end == End::first ? elements.front() : elements.back();
}

Value first_of(Arguments arguments, Context& /*context*/) {
  return end_of("$first", arguments[0], End::first);
}

Value last_of(Arguments arguments, Context& /*context*/) {
  return end_of("$last", arguments[0], End::last);
}

constexpr Parameter kSome[] = {{"n", true}, {"input", true}};

const Array& need_list(std::string_view op, const NamedArguments& arguments) {
  if (!arguments[1].is_array()) refuse_type(op, "an array as input", arguments[1]);
  return arguments[1].elements();
}

Value ends_of(std::string_view op, const NamedArguments& arguments, End end) {
  EndValues ends(end, read_count(op, arguments[0]));
  return gathered(ends, need_list(op, arguments));
}

Value extremes_of(std::string_view op, const NamedArguments& arguments, Extreme extreme) {
  const bool is_least = extreme == Extreme::least;
  Ranking extremes(nullptr, is_least ? Side::top : Side::bottom, read_count(op, arguments[0]),
                   is_least ? Ranking::Shape::array : Ranking::Shape::reversed);
  return gathered(extremes, need_list(op, arguments));
}

Value first_n(const NamedArguments& arguments, Context& /*context*/) {
  return ends_of("$firstN", arguments, End::first);
}

Value last_n(const NamedArguments& arguments, Context& /*context*/) {
  return ends_of("$lastN", arguments, End::last);
}

Value least_n(const NamedArguments& arguments, Context& /*context*/) {
  return extremes_of("$minN", arguments, Extreme::least);
}

Value greatest_n(const NamedArguments& arguments, Context& /*context*/) {
  return extremes_of("$maxN", arguments, Extreme::greatest);
}

class QuantileExpression final : public Expression {
 public:
  explicit QuantileExpression(QuantileOptions options) : options_(std::move(options)) {}

  Value evaluate(Context& context) const override {
    const Value input = options_.input->evaluate(context);
    return in_name_of("$percentile", [&] { return quantiles_of(input); });
  }
  void add_paths(std::set<std::string>& paths) const override { options_.input->add_paths(paths); }

 private:
  Value quantiles_of(const Value& input) const {
    Quantiles quantiles = options_.start();
    if (!input.is_array()) return gathered(quantiles, std::span(&input, 1));
    return gathered(quantiles, input.elements());
  }

  QuantileOptions options_;
};

ExpressionPtr parse_quantiles(std::string_view name, const Value& operand, Variables& variables) {
  return std::make_unique<QuantileExpression>(read_quantiles(name, operand, variables));
}

constexpr Function kAccumulatorFunctions[] = {
    {"$avg", 0, kAny, average},
    {"$first", 1, 1, first_of},
    {"$last", 1, 1, last_of},
    {"$max", 0, kAny, greatest},
    {"$min", 0, kAny, least},
    {"$stdDevPop", 0, kAny, population_deviation},
    {"$stdDevSamp", 0, kAny, sample_deviation},
    {"$sum", 0, kAny, sum},
};

constexpr NamedFunction kNamedAccumulators[] = {
    {"$firstN", kSome, first_n},
    {"$lastN", kSome, last_n},
    {"$maxN", kSome, greatest_n},
    {"$minN", kSome, least_n},
};

constexpr Form kAccumulatorForms[] = {
    {"$median", parse_quantiles},
    {"$percentile", parse_quantiles},
};

}  // namespace

Family accumulator_family() {
  return {kAccumulatorFunctions, kNamedAccumulators, kAccumulatorForms};
}

}  // namespace gantry::data::expr

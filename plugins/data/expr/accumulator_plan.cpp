// Reading {$sum: …} and its like, and what each group then starts and feeds.
#include <gantry/schema/nearest.hpp>

#include <algorithm>
#include <array>

#include "expr/accumulator_options.hpp"
#include "expr/gather_numbers.hpp"
#include "expr/gather_values.hpp"
#include "expr/ranking.hpp"
#include "expr/registry.hpp"
#include "values/query_error.hpp"

namespace gantry::data::expr {
namespace {

using Started = std::unique_ptr<Accumulator>;
using PlanPtr = std::unique_ptr<const AccumulatorPlan>;

// One operand, nothing to choose.
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

// {n, input}: n is evaluated for each group.
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
  void add_paths(std::set<std::string>& paths) const override {
    n_->add_paths(paths);
    input_->add_paths(paths);
  }

 private:
  std::string_view op_;
  Start start_;
  ExpressionPtr n_;
  ExpressionPtr input_;
};

// {sortBy, output} or {n, sortBy, output}.
class RankingPlan final : public AccumulatorPlan {
 public:
  // `n` is null for the single value.
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
    return std::make_unique<Ranking>(order_, side_, n, shape);
  }
  void feed(Accumulator& accumulator, Context& context) const override {
    static_cast<Ranking&>(accumulator)
        .add_keyed(order_.key_of(context.root), output_->evaluate(context));
  }
  void add_paths(std::set<std::string>& paths) const override {
    order_.add_paths(paths);
    output_->add_paths(paths);
    if (n_) n_->add_paths(paths);
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

template <class Gathering, auto... arguments>
Started start_simple() {
  return std::make_unique<Gathering>(arguments...);
}

template <class Kept>
Started start_elements(std::string_view op) {
  return std::make_unique<Elements<Kept>>(op);
}

template <End end>
Started start_ends(std::size_t n) {
  return std::make_unique<EndValues>(end, n);
}

template <Side side, Ranking::Shape shape>
Started start_extremes(std::size_t n) {
  static const SortOrder kByValue;
  return std::make_unique<Ranking>(kByValue, side, n, shape);
}

// How an accumulator of `name` is read; `start` and `start_some` are for the shapes that need them.
struct Entry {
  std::string_view name;
  PlanPtr (*read)(const Entry& entry, const Value& operand, Variables& variables);
  Started (*start)() = nullptr;
  Started (*start_some)(std::size_t n) = nullptr;
};

PlanPtr read_simple(const Entry& entry, const Value& operand, Variables& variables) {
  if (operand.is_array()) {
    throw QueryError(std::string(entry.name) +
                     " takes one expression in a group, not an array of them; to gather several, "
                     "wrap them in an operator, $add say.");
  }
  return std::make_unique<SimplePlan>(entry.start, parse_expression(operand, variables));
}

PlanPtr read_counting(const Entry& /*entry*/, const Value& operand, Variables& /*variables*/) {
  if (operand.is_object() && operand.members().empty()) return std::make_unique<CountPlan>();
  throw QueryError("$count in a group takes an empty object: {$count: {}}.");
}

PlanPtr read_some(const Entry& entry, const Value& operand, Variables& variables) {
  static constexpr std::string_view kNames[] = {"n", "input"};
  const auto options = read_options(entry.name, operand, kNames);
  return std::make_unique<SomePlan>(entry.name, entry.start_some,
                                    parse_expression(options[0], variables),
                                    parse_expression(options[1], variables));
}

template <Side side, bool is_single>
PlanPtr read_ranking(const Entry& entry, const Value& operand, Variables& variables) {
  static constexpr std::string_view kNames[] = {"sortBy", "output", "n"};
  const auto options =
      read_options(entry.name, operand, std::span(kNames).first(is_single ? 2 : 3));
  return std::make_unique<RankingPlan>(
      entry.name, side, SortOrder(entry.name, options[0]), parse_expression(options[1], variables),
      is_single ? nullptr : parse_expression(options[2], variables));
}

PlanPtr read_quantile_plan(const Entry& entry, const Value& operand, Variables& variables) {
  return std::make_unique<QuantilePlan>(read_quantiles(entry.name, operand, variables));
}

using Shape = Ranking::Shape;

constexpr Entry kEntries[] = {
    {"$addToSet", read_simple, start_simple<Distinct>},
    {"$avg", read_simple, start_simple<Average, Average::Longs::exact>},
    {"$bottom", read_ranking<Side::bottom, true>},
    {"$bottomN", read_ranking<Side::bottom, false>},
    {"$concatArrays", read_simple, [] { return start_elements<Listed>("$concatArrays"); }},
    {"$count", read_counting},
    {"$first", read_simple, start_simple<EndValue, End::first>},
    {"$firstN", read_some, nullptr, start_ends<End::first>},
    {"$last", read_simple, start_simple<EndValue, End::last>},
    {"$lastN", read_some, nullptr, start_ends<End::last>},
    {"$max", read_simple, start_simple<ExtremeValue, Extreme::greatest>},
    {"$maxN", read_some, nullptr, start_extremes<Side::bottom, Shape::reversed>},
    {"$median", read_quantile_plan},
    {"$mergeObjects", read_simple, start_simple<MergedObject>},
    {"$min", read_simple, start_simple<ExtremeValue, Extreme::least>},
    {"$minN", read_some, nullptr, start_extremes<Side::top, Shape::array>},
    {"$percentile", read_quantile_plan},
    {"$push", read_simple, start_simple<Listed>},
    {"$setUnion", read_simple, [] { return start_elements<Distinct>("$setUnion"); }},
    {"$stdDevPop", read_simple, start_simple<Deviation, Deviation::Of::population>},
    {"$stdDevSamp", read_simple, start_simple<Deviation, Deviation::Of::sample>},
    {"$sum", read_simple, start_simple<Sum>},
    {"$top", read_ranking<Side::top, true>},
    {"$topN", read_ranking<Side::top, false>},
};

[[noreturn]] void refuse_unknown(std::string_view field, std::string_view name) {
  if (name == "$accumulator")
    throw QueryError("$accumulator runs code, which is not allowed here.");
  std::string text = std::string(field) + ": there is no accumulator " + std::string(name);
  if (const auto near = schema::nearest(name, accumulator_names())) {
    text.append("; did you mean ").append(*near).append("?");
  } else {
    text += "; $sum, $avg, $min, $max, $first, $last, $push and $addToSet are the usual ones.";
  }
  throw QueryError(text);
}

}  // namespace

std::unique_ptr<const AccumulatorPlan> parse_accumulator(std::string_view field, const Value& spec,
                                                         Variables& variables) {
  if (!spec.is_object() || spec.members().size() != 1) {
    throw QueryError(std::string(field) +
                     " needs exactly one accumulator, like {$sum: \"$amount\"}.");
  }
  const auto& [name, operand] = spec.members().front();
  const auto it = std::find_if(std::begin(kEntries), std::end(kEntries),
                               [&](const Entry& entry) { return entry.name == name; });
  if (it == std::end(kEntries)) refuse_unknown(field, name);
  return it->read(*it, operand, variables);
}

std::span<const std::string_view> accumulator_names() {
  static constexpr auto kNames = [] {
    std::array<std::string_view, std::size(kEntries)> names;
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = kEntries[i].name;
    return names;
  }();
  return kNames;
}

}  // namespace gantry::data::expr

// Parses {$sum: …} and the other accumulators into the plans that groups start and feed.
#include <gantry/schema/nearest.hpp>

#include <algorithm>
#include <array>

#include "errors/query_error.hpp"
#include "expr/accumulators/accumulator_options.hpp"
#include "expr/accumulators/accumulator_plans.hpp"
#include "expr/accumulators/gather_numbers.hpp"
#include "expr/accumulators/gather_values.hpp"
#include "expr/accumulators/ranking.hpp"
#include "expr/registry.hpp"

namespace gantry::data::expr {
namespace {

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
  return std::make_unique<Ranking>(nullptr, side, n, shape);
}

// How the accumulator `name` is parsed; `start` and `start_some` are for the shapes that use them.
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
  return simple_plan(entry.start, parse_expression(operand, variables));
}

PlanPtr read_counting(const Entry& /*entry*/, const Value& operand, Variables& /*variables*/) {
  if (operand.is_object() && operand.members().empty()) return count_plan();
  throw QueryError("$count in a group takes an empty object: {$count: {}}.");
}

PlanPtr read_some(const Entry& entry, const Value& operand, Variables& variables) {
  static constexpr std::string_view kNames[] = {"n", "input"};
  const auto options = read_options(entry.name, operand, kNames);
  return some_plan(entry.name, entry.start_some, parse_expression(options[0], variables),
                   parse_expression(options[1], variables));
}

template <Side side, bool is_single>
PlanPtr read_ranking(const Entry& entry, const Value& operand, Variables& variables) {
  static constexpr std::string_view kNames[] = {"sortBy", "output", "n"};
  const auto options =
      read_options(entry.name, operand, std::span(kNames).first(is_single ? 2 : 3));
  return ranking_plan(entry.name, side, SortOrder(entry.name, options[0]),
                      parse_expression(options[1], variables),
                      is_single ? nullptr : parse_expression(options[2], variables));
}

PlanPtr read_quantile_plan(const Entry& entry, const Value& operand, Variables& variables) {
  return quantile_plan(read_quantiles(entry.name, operand, variables));
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
  if (name == "$accumulator") {
    throw QueryError::blocked("$accumulator runs code, which is not allowed here.");
  }
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

// expr/accumulators/accumulator_plans.hpp: the kinds of plans that accumulators have.
//
// Internal to the accumulators. `start` makes the empty accumulator of one group.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "expr/accumulators/accumulator.hpp"
#include "expr/accumulators/accumulator_options.hpp"
#include "expr/accumulators/ranking.hpp"

namespace gantry::data::expr {

using Started = std::unique_ptr<Accumulator>;
using PlanPtr = std::unique_ptr<const AccumulatorPlan>;

// One operand, no options.
PlanPtr simple_plan(Started (*start)(), ExpressionPtr operand);

// {$count: {}}
PlanPtr count_plan();

// {n, input}: n is evaluated for each group.
PlanPtr some_plan(std::string_view op, Started (*start)(std::size_t n), ExpressionPtr n,
                  ExpressionPtr input);

// {sortBy, output}, or {n, sortBy, output}; `n` is null for the single value.
PlanPtr ranking_plan(std::string_view op, Side side, SortOrder order, ExpressionPtr output,
                     ExpressionPtr n);

// {input, p, method}
PlanPtr quantile_plan(QuantileOptions options);

}  // namespace gantry::data::expr

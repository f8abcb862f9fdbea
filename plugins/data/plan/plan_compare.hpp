// plan/plan_compare.hpp: comparisons of a column with a literal, as SQL that is exact for $match.
//
// As sql/dialect.hpp, and for ids, which pipelines see as strings whatever their stored type. A
// literal of a type that the column's values do not have never matches, and is not an error. Pure.
#pragma once

#include <optional>

#include "plan/plan_column.hpp"
#include "where/node.hpp"

namespace gantry::data {

// True exactly for rows whose value satisfies `order` against `operand` in the engine; false or
// NULL for others. Empty: SQL cannot express it.
std::optional<Fragment> plan_compare(const PlanColumn& column, Order order, const Value& operand);

// The same for $in. Empty if the list contains patterns.
std::optional<Fragment> plan_one_of(const PlanColumn& column, const Array& list);

// A superset of those rows, in a form that can use an index; empty text: all rows.
Fragment plan_bounds(const PlanColumn& column, Order order, const Value& operand);

}  // namespace gantry::data

// ops/plan_compare.hpp: a column against a literal, as SQL that is exact for $match.
//
// Literals of a type that the column's values do not have never match and never fail. Pure.
#pragma once

#include <optional>

#include "ops/plan_column.hpp"
#include "sql/fragment.hpp"
#include "values/value.hpp"
#include "where/node.hpp"

namespace gantry::data {

// True exactly for the rows whose value the engine finds to be `order` of `operand`; false or NULL
// for the others. Empty: SQL cannot say.
std::optional<Fragment> plan_compare(const PlanColumn& column, where::Order order,
                                     const Value& operand);

// The same of $in. Elements of the list that are patterns make it empty.
std::optional<Fragment> plan_one_of(const PlanColumn& column, const Array& list);

// True for all those rows and for others too, so that an index can serve; empty text: for all.
Fragment plan_bounds(const PlanColumn& column, where::Order order, const Value& operand);

// Instants that are stored as numbers: exact, of columns that hold integers only, and bounds.
std::optional<Fragment> plan_instant(const Field& field, where::Order order, std::int64_t millis);
Fragment plan_instant_bounds(const Field& field, where::Order order, std::int64_t millis);

}  // namespace gantry::data

// plan/plan_match.hpp: the part of a $match that the database evaluates.
//
// Every condition that reads one column goes to SQL: as a comparison, which can use an index, if
// the dialect has an exact one; otherwise as a row matcher. Conditions on several columns ($expr,
// composite ids, $or over such) stay. `sql` and `rest` together are equivalent to the filter.
#pragma once

#include <vector>

#include "filter/condition.hpp"
#include "sql/dialect.hpp"
#include "sql/predicate.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

struct MatchParts {
  Predicate sql;  // empty: no condition
  // The members of the filter, and of $and at its top, that are in `sql`, and all others.
  std::vector<filter::ConditionPtr> pushed, rest;
};

// `filter` applies to the class's documents, see typed_stages.hpp.
MatchParts split_match(const filter::ConditionPtr& filter, const ClassView& cls,
                       const Dialect& dialect);

// The filter that has these members; missing for none.
Value filter_of(const std::vector<filter::ConditionPtr>& members);

}  // namespace gantry::data

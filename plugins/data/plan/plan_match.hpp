// plan/plan_match.hpp: the part of a $match that the database evaluates.
//
// Every condition that reads one column goes to SQL: as a comparison, which can use an index, if
// the column's kind allows an exact one; otherwise as a bound matcher. Conditions on several
// columns ($expr, composite ids, $or over such) stay. `sql` and `rest` together are equivalent to
// the $match.
#pragma once

#include "sql/predicate.hpp"
#include "values/value.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

struct MatchParts {
  Predicate sql;  // empty: no condition
  Value pushed;   // the conditions in `sql`; missing: none
  Value rest;     // all others; missing: none
};

// `match` is a valid filter over the class's documents, see typed_stages.hpp.
MatchParts split_match(const Value& match, const ClassView& cls);

}  // namespace gantry::data

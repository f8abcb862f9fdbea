// ops/plan_match.hpp: the part of a $match that the database evaluates.
//
// Every condition that reads one column goes to SQL: as a comparison, which can use an index, if
// the column's kind allows an exact one; otherwise as a bound matcher. Conditions on several
// columns ($expr, composite ids, $or over such) stay. `sql` and `rest` together are equivalent to
// the $match.
#pragma once

#include "catalog/catalog.hpp"
#include "policy/scope.hpp"
#include "sql/fragment.hpp"
#include "values/value.hpp"

namespace gantry::data {

struct MatchParts {
  Fragment sql;  // empty: no condition
  Value pushed;  // the conditions in `sql`; missing: none
  Value rest;    // all others; missing: none
};

// `match` is a valid filter over the class's documents, see typed_stages.hpp.
MatchParts split_match(const Value& match, const ClassInfo& cls, const Scope& scope);

}  // namespace gantry::data

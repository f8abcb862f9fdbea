// ops/plan_match.hpp: what of a $match the database decides.
//
// Every condition that reads one column goes to SQL: as a comparison that an index can serve where
// the column's kind allows an exact one, else as a bound matcher. What reads several columns at
// once ($expr, composite ids, $or over such) stays. Both parts together are the $match.
#pragma once

#include "catalog/catalog.hpp"
#include "policy/scope.hpp"
#include "sql/fragment.hpp"
#include "values/value.hpp"

namespace gantry::data {

struct MatchParts {
  Fragment sql;  // empty: nothing
  Value pushed;  // the conditions that `sql` says; missing: none
  Value rest;    // the others; missing: none
};

// `match` is a valid filter in terms of the class's documents, see typed_stages.hpp.
MatchParts split_match(const Value& match, const ClassInfo& cls, const Scope& scope);

}  // namespace gantry::data

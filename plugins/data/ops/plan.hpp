// ops/plan.hpp: which part of a pipeline the database runs.
//
// The longest prefix that SQL says exactly: $match by conditions, $sort, $skip, $limit, $count.
// What the database runs is left out of the engine's part, so nothing is done twice; the answers
// are the same as without a plan. A condition that stays stops $skip, $limit and $count, not
// $sort. Pure: plans know the catalog, not the rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "policy/scope.hpp"
#include "sql/fragment.hpp"
#include "values/value.hpp"

namespace gantry::data {

struct Plan {
  Fragment where;     // of the $match stages; empty: all rows
  std::string order;  // before the table's own; empty: that alone
  std::uint64_t skip = 0;
  std::optional<std::uint64_t> limit;
  std::string count;  // the field of a $count; empty: documents
  Array pushed;       // stages that the database runs
  Array residual;     // stages of the engine
  // The order is the engine's, and the count that of documents, only while no row of the class
  // satisfies one of these.
  std::vector<Fragment> exceptions;
};

// `stages` are valid and in terms of the class's documents, see typed_stages.hpp. `may_trust`: no
// row is an exception.
Plan make_plan(const Value& stages, const ClassInfo& cls, const Scope& scope,
               bool may_trust = true);

// The engine runs everything.
Plan no_plan(const Value& stages);

}  // namespace gantry::data

// plan/plan.hpp: splits a pipeline between the database and the engine.
//
// The database takes the longest prefix that SQL expresses exactly: $match condition by condition,
// $sort, $skip, $limit, $count. The engine runs the rest; the answers are the same as without a
// plan. After a condition that stays in the engine, $skip, $limit and $count stay too; $sort does
// not. Pure: a plan depends on the catalog, not on rows.
#pragma once

#include <string>
#include <vector>

#include "plan/bound_read.hpp"
#include "sql/dialect.hpp"
#include "sql/select.hpp"
#include "values/value.hpp"

namespace gantry::data {

struct Plan {
  Clauses clauses;    // of the statement
  std::string count;  // the field of a $count; empty: the plan reads documents
  Array pushed;       // stages of the database
  Array residual;     // stages of the engine
  // The residual, parsed: `left`, then the pipeline's own stages from `first_whole` on.
  std::vector<filter::ConditionPtr> left;  // of $match stages
  std::size_t first_whole = 0;
  // The plan is exact only if no row of the class satisfies any of these conditions: such rows
  // would sort differently in the database, or are not countable documents.
  std::vector<Predicate> exceptions;
};

// `read` are the documents of the rows of its clauses; `parsed` are its stages. `may_trust`: assume
// that no row satisfies Plan::exceptions.
Plan make_plan(const BoundRead& read, const ParsedRead& parsed, const Dialect& dialect,
               bool may_trust = true);

// The parsed stages that the plan leaves to the engine.
pipeline::Stages residual_stages(pipeline::Stages parsed, const Plan& plan);

// A plan in which the engine runs all stages.
Plan no_plan(const BoundRead& read, const ParsedRead& parsed);

}  // namespace gantry::data

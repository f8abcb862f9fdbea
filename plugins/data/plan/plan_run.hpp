// plan/plan_run.hpp: runs the database's part of a read.
//
// Errors are thrown as QueryError.
#pragma once

#include <cstdint>
#include <limits>

#include "plan/class_source.hpp"
#include "plan/plan.hpp"
#include "plan/scan.hpp"

namespace gantry::data {

// Plans a valid read under the request's settings. Checks the rows for violations of the plan's
// assumptions. `most`: the maximum number of documents that are read.
Plan plan_for(const ReadContext& context, const BoundRead& read, const ParsedRead& parsed,
              ClassSource& source, std::uint64_t most = kAllDocuments);

// The bounds of the plan's scan of its class if `most` documents are read.
ScanBound bound_of(const Plan& plan, std::uint64_t most);

// The statement of a plan over `cls`: reads these `columns`, or counts the rows.
Fragment plan_sql(const Plan& plan, const ClassView& cls, std::string_view columns);

// Throws QueryError if the operator refuses full scans and the plan is one. Chooses an order of
// rows that avoids one if possible.
void refuse_planned_scan(const ReadContext& context, const BoundRead& read, Plan& plan,
                         ClassSource& source, std::uint64_t most);

// How the database reads the plan's class, and the statement. Nothing is refused.
struct ExplainedPlan {
  ScanReport report;
  Fragment sql;
};
ExplainedPlan explain_plan(const ReadContext& context, const ClassView& cls, Plan& plan,
                           ClassSource& source, std::uint64_t most);

// The input of `residual`, the plan's parsed remaining stages: documents, or one document with
// their count. Null if no class is read.
pipeline::StreamPtr open_plan(ClassSource& source, const BoundRead& read, const Plan& plan,
                              const pipeline::Stages& residual);

}  // namespace gantry::data

// plan/plan_run.hpp: runs the database's part of a pipeline.
//
// Errors are thrown as QueryError.
#pragma once

#include <cstdint>
#include <limits>

#include "plan/class_source.hpp"
#include "plan/pipeline_run.hpp"
#include "plan/plan.hpp"
#include "plan/scan.hpp"

namespace gantry::data {

inline constexpr std::uint64_t kAllDocuments = std::numeric_limits<std::uint64_t>::max();

// Plans a valid pipeline under the request's settings. Checks the rows for violations of the plan's
// assumptions. If the operator refuses full scans, chooses an order of rows that avoids one if
// possible. `most`: the maximum number of documents that are read.
Plan plan_for(const ReadContext& context, const Pipeline& what, const pipeline::Stages& parsed,
              ClassSource& source, std::uint64_t most = kAllDocuments);

// The bounds of the plan's scan of its class if `most` documents are read.
ScanBound bound_of(const Plan& plan, std::uint64_t most);

// The statement of a plan over `cls`: reads these `columns`, or counts the rows.
Fragment plan_sql(const Plan& plan, const ClassView& cls, std::string_view columns);

// Throws QueryError if the operator refuses full scans and the plan is one.
void refuse_planned_scan(const ReadContext& context, const Pipeline& what, const Plan& plan,
                         ClassSource& source, std::uint64_t most);

// The input of `residual`, the plan's parsed remaining stages: documents, or one document with
// their count. Null if no class is read.
pipeline::StreamPtr open_plan(ClassSource& source, const Pipeline& what, const Plan& plan,
                              const pipeline::Stages& residual);

}  // namespace gantry::data

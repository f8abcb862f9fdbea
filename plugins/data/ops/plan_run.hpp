// ops/plan_run.hpp: the database's part of a pipeline, run.
//
// Errors are thrown as QueryError.
#pragma once

#include <cstdint>
#include <limits>

#include "ops/class_source.hpp"
#include "ops/pipeline_run.hpp"
#include "ops/plan.hpp"
#include "ops/scan.hpp"

namespace gantry::data {

inline constexpr std::uint64_t kAllDocuments = std::numeric_limits<std::uint64_t>::max();

// What will run of a valid pipeline, under the request's settings. Looks whether rows stand against
// a $sort in the database; where the operator refuses full scans, orders rows so that there is none
// if that can be. `most`: documents that somebody will look at.
Plan plan_for(const Request& request, const Pipeline& what, ClassSource& source,
              std::uint64_t most = kAllDocuments);

// What stops the plan's scan of its class, when `most` documents are looked at.
ScanBound bound_of(const Pipeline& what, const Plan& plan, std::uint64_t most);

// The statement of a plan: rows with these `columns`, or their number.
Fragment plan_sql(const Plan& plan, const Pipeline& what, std::string_view columns);

// What `residual`, the plan's, parsed, begins with: documents or one that counts them. Null where
// no class is read.
pipeline::StreamPtr open_plan(ClassSource& source, const Pipeline& what, const Plan& plan,
                              const pipeline::Stages& residual);

}  // namespace gantry::data

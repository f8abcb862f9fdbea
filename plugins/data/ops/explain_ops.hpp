// ops/explain_ops.hpp: explain_query, and the `plan` mode of aggregate.
#pragma once

#include "ops/request.hpp"
#include "plan/read.hpp"

namespace gantry::data {

// {class_name, where?, order?, limit?, refuse_collscan?} -> meta {full_scan, indexes_used,
// estimated_rows, sql?, plan?}: the plan of query_class for these arguments. With refuse_collscan a
// full scan is the error security_blocked. `sql` and `plan` only if the operator exposes them.
Reply explain(const Request& request);

// The plan of a pipeline whose first `most` documents are read: meta {pipeline_stages, pushed,
// residual, full_scan, indexes_used, estimated_rows, sql?, plan?}. Throws the QueryErrors that
// running it would throw before it reads a row.
Reply explain_pipeline(const Request& request, const Read& read, std::uint64_t most);

}  // namespace gantry::data

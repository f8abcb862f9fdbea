// ops/explain_ops.hpp: explain_query, and the `plan` mode of aggregate.
#pragma once

#include "plan/class_source.hpp"
#include "plan/pipeline_run.hpp"
#include "plan/plan.hpp"

namespace gantry::data {

// {class_name, where?, order?, limit?, refuse_collscan?} -> meta {full_scan, indexes_used,
// estimated_rows, sql?, plan?}: the plan of query_class for these arguments. With refuse_collscan a
// full scan is the error security_blocked. `sql` and `plan` only if the operator exposes them.
Reply explain(const Request& request);

// The plan of a pipeline whose first `most` documents are read: meta {pipeline_stages, pushed,
// residual, full_scan, indexes_used, estimated_rows, sql?, plan?}. Throws the QueryErrors that
// running it would throw before it reads a row. `text`: the $text conditions that take_text()
// removed from the first stage; missing: none.
Reply explain_pipeline(const Request& request, const Pipeline& pipeline, std::uint64_t most,
                       const Value& text = {});

}  // namespace gantry::data

// ops/explain_ops.hpp: the operations behind explain_query and the `plan` mode of aggregate.
#pragma once

#include "ops/class_source.hpp"
#include "ops/pipeline_run.hpp"
#include "ops/plan.hpp"

namespace gantry::data {

// {class_name, where?, order?, limit?, refuse_collscan?} -> meta {full_scan, indexes_used,
// estimated_rows, sql?, plan?}: how query_class would find its rows. With refuse_collscan a full
// scan is the error security_blocked. `sql` and `plan` only where the operator exposes them.
Outcome<Reply> explain(const Request& request);

// What would run of a pipeline of which `most` documents are looked at: meta {pipeline_stages,
// pushed, residual, full_scan, indexes_used, estimated_rows, sql?, plan?}. Throws QueryError for
// what running it would refuse before a row is read. `text`: the conditions of its `where` that
// take_text() took out of its first stage; missing: none.
Reply explain_pipeline(const Request& request, const Pipeline& pipeline, std::uint64_t most,
                       const Value& text = {});

// Throws QueryError where the operator refuses full scans and the plan is one.
void refuse_planned_scan(const Request& request, const Pipeline& pipeline, const Plan& plan,
                         ClassSource& source, std::uint64_t most);

}  // namespace gantry::data

// ops/aggregate_ops.hpp: the operations behind aggregate.
//
// Documents are those of rows/value_reader.hpp; in answers createdAt and updatedAt are ISO strings
// and a class's document has its id once, as objectId. Every class that a pipeline touches is read
// under the request's scope. Answers that would pass max_bytes are refused with a ranking of the
// fields.
#pragma once

#include "ops/request.hpp"

namespace gantry::data {

// {class_name?, pipeline, compact_pointers?} -> rows: the documents; meta {pipeline_stages,
// result_count, pointer_classes?, auto_limited?, auto_limit?, hint?}. Without $limit or $count at
// its end a pipeline gives at most 200 documents, a $limit there at most 10,000; `auto_limited`
// says that there were more.
Outcome<Reply> aggregate(const Request& request);

}  // namespace gantry::data

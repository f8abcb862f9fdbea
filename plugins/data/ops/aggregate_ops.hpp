// ops/aggregate_ops.hpp: the operation behind the tool aggregate.
//
// Documents are those of rows/value_reader.hpp. In answers createdAt and updatedAt are ISO strings,
// and the id of a class's document appears once, as objectId. Every class that a pipeline reads is
// subject to the request's scope. An answer that would exceed max_bytes is refused with a list of
// the largest fields.
#pragma once

#include "ops/request.hpp"

namespace gantry::data {

// {class_name?, pipeline, compact_pointers?} -> rows: the documents; meta {pipeline_stages,
// result_count, pointer_classes?, auto_limited?, auto_limit?, hint?}. A pipeline that does not end
// in $limit or $count returns at most 200 documents, one that ends in $limit at most 10,000;
// `auto_limited` reports that there were more.
Reply aggregate(const Request& request);

}  // namespace gantry::data

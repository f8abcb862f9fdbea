// ops/read_ops.hpp: the operations behind the query family.
//
// Each operation applies the request's scope to every class it reads. Answers that would exceed
// max_bytes: `query` drops the heaviest field, then trailing rows, and reports it; the others are
// refused with a list of the largest fields.
#pragma once

#include "ops/request.hpp"

namespace gantry::data {

// {class_name, where?, keys?, include?, order?, limit?, skip?} -> rows: the array; meta
// {result_count, pagination {limit, skip, has_more}, _truncated?}.
Reply query(const Request& request);
// `with_nulls`: every row has all fields, also those that are NULL.
Reply query(const Request& request, bool with_nulls);

// {class_name, where?} -> meta {count}.
Reply count(const Request& request);

// {class_name, object_id, keys?, include?} -> rows: the object; meta {}.
Reply get(const Request& request);

// {class_name, ids, keys?, include?} -> rows: {id: object}; meta {missing, requested, found}.
Reply get_many(const Request& request);

// {class_name, limit?} -> rows: the array; meta {}.
Reply samples(const Request& request);

}  // namespace gantry::data

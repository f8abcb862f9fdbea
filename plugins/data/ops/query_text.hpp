// ops/query_text.hpp: what query answers, as one text.
#pragma once

#include "ops/request.hpp"

namespace gantry::data {

// {…those of query, format: csv, markdown or table} -> rows: none; meta {format, headers,
// row_count, output, …query's}. Headers are all rows' fields. A text that would pass max_bytes is
// refused.
Outcome<Reply> query_text(const Request& request);

}  // namespace gantry::data

// ops/query_text.hpp: the rows of query as one text.
#pragma once

#include "ops/request.hpp"

namespace gantry::data {

// {…arguments of query, format: csv, markdown or table} -> rows: none; meta {format, headers,
// row_count, output, …those of query}. Headers are the fields of all rows. A text that would exceed
// max_bytes is refused.
Reply query_text(const Request& request);

}  // namespace gantry::data

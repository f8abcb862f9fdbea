// ops/export_ops.hpp: the operation behind export_data.
#pragma once

#include "ops/request.hpp"

namespace gantry::data {

// {class_name?, format?, columns?, row_cap?, and either where? keys? include? order? limit? skip?
// or pipeline} -> rows: none; meta {format, headers, row_count, output, truncated?,
// available_rows?, row_cap?, hint?}. Without columns they are those of the first row. An output
// that would pass max_bytes is refused with a ranking of the columns.
Outcome<Reply> export_rows(const Request& request);

}  // namespace gantry::data

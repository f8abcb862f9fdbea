// ops/export/export_ops.hpp: the operation behind export_data.
#pragma once

#include <functional>

#include "ops/export/sheet.hpp"
#include "ops/request.hpp"

namespace gantry::data {

// {class_name?, format?, columns?, row_cap?, and either where? keys? include? order? limit? skip?
// or pipeline} -> rows: none; meta {format, headers, row_count, output, truncated?,
// available_rows?, row_cap?, hint?}. Default columns: those of the first row. An output that would
// exceed max_bytes is refused with a list of the largest columns.
Reply export_rows(const Request& request);

// The same with the output written to `drain`, which gets text that ends with a row and may throw
// QueryError; meta has no output. Without row_cap all rows are exported. `rows` is called from time
// to time with the number of rows so far.
Reply export_rows_to(const Request& request, const TableBuilder::Drain& drain,
                     const std::function<void(std::uint64_t)>& rows);

// The operation export_link if no exports are kept.
Reply refuse_link(const Request& request);

}  // namespace gantry::data

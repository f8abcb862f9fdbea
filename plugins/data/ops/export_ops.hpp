// ops/export_ops.hpp: the operation behind export_data.
#pragma once

#include <functional>

#include "ops/request.hpp"
#include "ops/sheet.hpp"

namespace gantry::data {

// {class_name?, format?, columns?, row_cap?, and either where? keys? include? order? limit? skip?
// or pipeline} -> rows: none; meta {format, headers, row_count, output, truncated?,
// available_rows?, row_cap?, hint?}. Without columns they are those of the first row. An output
// that would pass max_bytes is refused with a ranking of the columns.
Outcome<Reply> export_rows(const Request& request);

// The same with the output going to `drain`, which takes text that ends with a row and may throw
// QueryError; meta has no output. No row_cap means all rows. `rows` is told how many there are so
// far, now and then.
Outcome<Reply> export_rows_to(const Request& request, const Sheet::Drain& drain,
                              const std::function<void(std::uint64_t)>& rows);

// What export_link is where no exports are kept.
Outcome<Reply> refuse_link(const Request& request);

}  // namespace gantry::data

// ops/export/export_rows.hpp: the rows of an export, from a query or a pipeline.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "ops/export/export_request.hpp"
#include "ops/export/sheet.hpp"
#include "ops/request.hpp"

namespace gantry::data {

struct ExportedRows {
  std::uint64_t count = 0;  // of exported rows
  bool is_cut = false;      // there are more than row_cap
  // The number of rows without the cap, if it could be counted.
  std::optional<std::uint64_t> available;
};

// Called from time to time with the number of rows so far.
using TellRows = std::function<void(std::uint64_t rows)>;

// Adds at most what.row_cap rows to the builder. Some hundred rows are in memory at a time, plus
// the documents that stages of a pipeline keep. Throws QueryError.
ExportedRows fill_table(const Request& request, const ExportRequest& what, TableBuilder& builder,
                        const TellRows& tell);

}  // namespace gantry::data

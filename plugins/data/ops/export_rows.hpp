// ops/export_rows.hpp: the rows of an export, of a query or of a pipeline.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "ops/export_request.hpp"
#include "ops/request.hpp"
#include "ops/sheet.hpp"

namespace gantry::data {

struct ExportedRows {
  std::uint64_t count = 0;                 // that were shown
  bool is_cut = false;                     // there are more than row_cap
  std::optional<std::uint64_t> available;  // how many there are, where that could be counted
};

// Is told now and then how many rows there are so far.
using TellRows = std::function<void(std::uint64_t rows)>;

// Puts at most what.row_cap rows on the sheet; some hundred are in memory at a time, and what the
// stages of a pipeline keep. Throws QueryError.
ExportedRows fill_sheet(const Request& request, const ExportRequest& what, Sheet& sheet,
                        const TellRows& tell);

}  // namespace gantry::data

// ops/export_rows.hpp: the rows of an export one by one, of a query or of a pipeline.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "ops/export_request.hpp"
#include "ops/request.hpp"

namespace gantry::data {

struct ExportedRows {
  std::uint64_t count = 0;                 // that were shown
  bool is_cut = false;                     // there are more than row_cap
  std::optional<std::uint64_t> available;  // how many there are, where that could be counted
};

// Takes a row as JSON, in the form that query and aggregate answer with.
using VisitRow = std::function<void(std::string_view json)>;

// Shows at most what.row_cap rows; some hundred are in memory at a time, and what the stages of a
// pipeline keep. Throws QueryError.
ExportedRows visit_rows(const Request& request, const ExportRequest& what, const VisitRow& visit);

}  // namespace gantry::data

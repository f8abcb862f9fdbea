// ops/export/export_request.hpp: the arguments of export_data that do not select rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/request.hpp"
#include "tables/columns.hpp"

namespace gantry::data {

// The largest bound that a caller can give; means no bound.
inline constexpr std::int64_t kAllRows = std::int64_t{1} << 53;

struct ExportRequest {
  std::string format;           // csv, markdown, table or jsonl
  std::vector<Column> columns;  // empty: those of the first row
  std::uint64_t row_cap = 0;
  bool is_agents_cap = false;  // row_cap is the agent's own, which no argument raises
  bool is_pipeline = false;
  // Columns whose paths follow pointers or are other names of fields: the stage's fields that they
  // are computed as, {"column 0->": "$customer_id.name"}; the column's path is that field. Missing:
  // there are none.
  Value computed = {};
};

// The destination of the rows. An answer has the server's row cap, a file only the caller's.
enum class ExportTo { answer, file };

// Throws QueryError: an invalid format (a file cannot hold a table), cap or column, a duplicate
// header, a pipeline together with arguments of a query.
ExportRequest read_export(const Request& request, ExportTo to);

}  // namespace gantry::data

// ops/export_request.hpp: the arguments of export_data other than those that say which rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/request.hpp"
#include "tables/columns.hpp"

namespace gantry::data {

// The largest bound that a caller can give, which stands for none.
inline constexpr std::int64_t kAllRows = std::int64_t{1} << 53;

struct ExportRequest {
  std::string format;           // csv, markdown, table or jsonl
  std::vector<Column> columns;  // none: those of the first row
  std::uint64_t row_cap = 0;
  bool is_pipeline = false;
};

// Where the rows go: caps are those of an answer, or what the caller says.
enum class ExportTo { answer, file };

// Throws QueryError: wrong formats (a file holds no table), caps and columns, headers that come
// twice, a pipeline together with arguments of a query.
ExportRequest read_export(const Request& request, ExportTo to);

}  // namespace gantry::data

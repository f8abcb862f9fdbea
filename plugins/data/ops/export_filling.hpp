// ops/export_filling.hpp: what the rows of an export have in common, wherever they come from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/export_rows.hpp"
#include "ops/pipeline_run.hpp"

namespace gantry::data {

// Rows on their way to the sheet, no more than the cap.
struct Filling {
  const ExportRequest& what;
  Sheet& sheet;
  const TellRows& tell;
  ExportedRows shown = {};

  // Before each row. False: it is beyond the cap.
  bool next() {
    shown.is_cut = shown.count == what.row_cap;
    if (shown.is_cut) return false;
    constexpr std::uint64_t kRowsAReport = 1024;
    if (++shown.count % kRowsAReport == 0) tell(shown.count);
    return true;
  }
};

inline std::vector<std::string> paths_of(const ExportRequest& what) {
  std::vector<std::string> paths;
  for (const Column& column : what.columns) paths.push_back(column.path);
  return paths;
}

// `limit` and `skip`, which an export does not bound.
inline std::int64_t requested_bound(const Request& request, const char* name,
                                    std::int64_t otherwise, std::int64_t least) {
  return value_or_throw(optional_integer(request, name, otherwise, least, kAllRows));
}

// The documents of a pipeline, or of a query over documents, as stages; `cls` null: they begin with
// $documents.
ExportedRows fill_from_pipeline(const Request& request, const ClassInfo* cls, Value stages,
                                Filling filling);
// A query over documents, as the stages it stands for.
Value stages_of_query(const Request& request, const ExportRequest& what);

}  // namespace gantry::data

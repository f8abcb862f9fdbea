// ops/export_filling.hpp: the common part of exports, independent of the source of their rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/export_rows.hpp"
#include "plan/pipeline_run.hpp"

namespace gantry::data {

// Counts rows on their way to the builder, up to the row cap.
struct Filling {
  const ExportRequest& what;
  TableBuilder& builder;
  const TellRows& tell;
  ExportedRows shown = {};

  // Call before each row. False: the row is beyond the cap.
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

// The arguments `limit` and `skip`; exports have no upper limit of their own.
inline std::int64_t requested_bound(const Request& request, const char* name,
                                    std::int64_t otherwise, std::int64_t least) {
  return optional_integer(request, name, otherwise, least, kAllRows);
}

// Exports the documents of a pipeline, or of a query over documents given as stages; `cls` null:
// the stages begin with $documents.
ExportedRows fill_from_pipeline(const Request& request, const ClassView* cls, Value stages,
                                Filling filling);
// The stages of a query over documents.
Value stages_of_query(const Request& request, const ExportRequest& what);

}  // namespace gantry::data

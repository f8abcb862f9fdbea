// ops/export/export_filling.hpp: the common part of exports, independent of the source of their
// rows.
#pragma once

#include <cstdint>

#include "ops/export/export_rows.hpp"
#include "plan/read.hpp"

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

// Exports the documents of the requested pipeline.
ExportedRows fill_from_pipeline(const Request& request, Filling filling);
// Exports the documents of a query over a document class.
ExportedRows fill_from_documents(const Request& request, Read read, Filling filling);

}  // namespace gantry::data

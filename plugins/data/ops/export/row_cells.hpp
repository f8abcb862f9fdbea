// ops/export/row_cells.hpp: the cells of a row, written directly; the same text as from its JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rows/row_printer.hpp"
#include "tables/cell_source.hpp"

namespace gantry::data {

class RowCells final : public CellSource {
 public:
  // `entries` are positions in printer.names(). The arguments must outlive this. Throws
  // QueryError for stored JSON that is nested too deeply.
  RowCells(const RowPrinter& printer, const std::vector<std::size_t>& entries, Row row)
      : printer_(printer), entries_(entries), row_(row) {}

  std::size_t size() const override { return entries_.size(); }
  bool append_text(std::size_t column, std::string& out) const override;
  bool append_json(std::size_t column, std::string& out) const override;

 private:
  const RowPrinter& printer_;
  const std::vector<std::size_t>& entries_;
  Row row_;
};

// The positions of the columns in `names`; without columns, of all that a table shows. Empty if a
// column is not among them.
std::optional<std::vector<std::size_t>> entries_of(const std::vector<Column>& columns,
                                                   const std::vector<std::string>& names);

}  // namespace gantry::data

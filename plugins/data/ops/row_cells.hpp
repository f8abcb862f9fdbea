// ops/row_cells.hpp: the cells of a row straight from its statement, as they would be by way of the
// row's JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rows/row_plan.hpp"
#include "tables/cell_source.hpp"

namespace gantry::data {

class RowCells final : public CellSource {
 public:
  // `entries` are positions in plan.names(). Both and the statement outlive this; it shows the row
  // on which the statement stands. Throws QueryError for stored JSON that is nested too deeply.
  RowCells(const RowPlan& plan, const std::vector<std::size_t>& entries, sqlite3_stmt* statement)
      : plan_(plan), entries_(entries), statement_(statement) {}

  std::size_t size() const override { return entries_.size(); }
  bool append_text(std::size_t column, std::string& out) const override;
  bool append_json(std::size_t column, std::string& out) const override;

 private:
  const RowPlan& plan_;
  const std::vector<std::size_t>& entries_;
  sqlite3_stmt* statement_;
};

// Where the columns are in `names`; without columns all that a table shows. Empty when one is not
// there.
std::optional<std::vector<std::size_t>> entries_of(const std::vector<Column>& columns,
                                                   const std::vector<std::string>& names);

}  // namespace gantry::data

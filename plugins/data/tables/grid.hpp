// tables/grid.hpp: rows collected as text and printed as a table with aligned columns.
//
// Cells are texts as in cell.hpp. Values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tables/cell_source.hpp"
#include "tables/json_rows.hpp"

namespace gantry::data {

struct Grid {
  std::vector<std::string> headers;
  std::vector<std::vector<std::string>> rows;  // each as long as the headers

  void add(const CellSource& cells);
};

Grid grid_of(const JsonRows& rows);

// Columns aligned by code points; empty when there are no headers.
std::string as_table(const Grid& grid);

// A lower bound of as_table()'s bytes: one long cell widens every row.
std::size_t table_size(const Grid& grid);

}  // namespace gantry::data

// tables/grid.hpp: rows kept together as text, and as CSV, Markdown or a table with aligned
// columns.
//
// Cells are those of cell.hpp. Values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tables/cell_source.hpp"

namespace gantry::data {

struct Grid {
  std::vector<std::string> headers;
  std::vector<std::vector<std::string>> rows;  // each as long as the headers

  void add(const CellSource& cells);
};

// Of a JSON array of objects; the headers are all rows' members, in the order they first appear.
// False: the text is nested too deeply.
bool make_grid(std::string_view rows, Grid& grid);

// All three are empty when there are no headers.
std::string as_csv(const Grid& grid);       // RFC 4180, lines end with \n
std::string as_markdown(const Grid& grid);  // a pipe table
std::string as_table(const Grid& grid);     // columns aligned by code points

// The bytes of as_table() at least: one long cell makes every row as long.
std::size_t table_size(const Grid& grid);

}  // namespace gantry::data

// core/grid.hpp: rows as a grid of text, and the grid as CSV, Markdown or an aligned table.
//
// Cells: text as it is, null empty, numbers and booleans as JSON writes them, a pointer its id, a
// date its ISO text, everything else its JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace query {

struct Grid {
  std::vector<std::string> headers;  // the rows' fields, in the order they first appear
  std::vector<std::vector<std::string>> rows;
};

// `rows` is a JSON array of objects.
Grid make_grid(std::string_view rows);

// All three are empty when there are no headers.
std::string as_csv(const Grid& grid);       // RFC 4180, lines end with \n
std::string as_markdown(const Grid& grid);  // a pipe table
std::string as_table(const Grid& grid);     // columns aligned by code points

// The bytes of as_table() at least: one long cell makes every row as long.
std::size_t table_size(const Grid& grid);

}  // namespace query

// tools/gantry/text/table.hpp: rows of text in columns.
#pragma once

#include <string>
#include <vector>

namespace gantry::cli {

// Two blanks between columns, none at the end of a line; the last column is not padded.
// Widths are those of a terminal: wide characters take two columns, combining ones none.
std::string table(const std::vector<std::vector<std::string>>& rows);

// The rows with the widest cells cut, with "…" at their end, so that each line of the table takes
// at most `columns` columns. A cell keeps four; a table of very many columns stays wider. 0: as
// they are.
std::vector<std::vector<std::string>> fitted(std::vector<std::vector<std::string>> rows,
                                             std::size_t columns);

// Whether fitted() makes lines of at most `columns` columns.
bool can_fit(const std::vector<std::vector<std::string>>& rows, std::size_t columns);

// The columns of the terminal on standard output; 0: it is none.
std::size_t terminal_columns();

}  // namespace gantry::cli

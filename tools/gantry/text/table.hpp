// tools/gantry/text/table.hpp: rows of text in columns.
#pragma once

#include <string>
#include <vector>

namespace gantry::cli {

// Two blanks between columns, none at the end of a line; the last column is not padded.
// Widths count code points.
std::string table(const std::vector<std::vector<std::string>>& rows);

}  // namespace gantry::cli

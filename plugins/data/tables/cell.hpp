// tables/cell.hpp: what a table shows of one JSON value. Pure functions; any thread.
//
// Text as it is, null empty, numbers and booleans as JSON writes them, a pointer its id, a date its
// ISO text, everything else its JSON. Documents' dates and numbers are read in Extended JSON.
#pragma once

#include <string>
#include <string_view>

#include <gantry/json.hpp>

namespace gantry::data {

void append_cell_text(const Json& value, std::string& out);

// One line: line breaks become spaces.
std::string one_line(std::string text);

// RFC 4180: quoted when it holds a comma, a quote or a line break.
void append_csv_cell(std::string_view text, std::string& out);
// The same of the text that `out` holds from `begin` on.
void quote_csv_cell(std::size_t begin, std::string& out);

// Of a pipe table: one line, with | and \ escaped.
void append_markdown_cell(const std::string& text, std::string& out);

}  // namespace gantry::data

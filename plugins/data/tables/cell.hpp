// tables/cell.hpp: the text of one JSON value in a table cell. Pure functions; any thread.
//
// Strings are written bare, null is empty, numbers and booleans are written as in JSON, a pointer
// as its id, a date as its ISO text, everything else as its JSON. Dates and numbers of documents
// are read as Extended JSON.
#pragma once

#include <string>
#include <string_view>

#include <gantry/json.hpp>

namespace gantry::data {

void append_cell_text(const Json& value, std::string& out);

// Replaces line breaks by spaces.
std::string one_line(std::string text);

// RFC 4180: quoted when it holds a comma, a quote or a line break.
void append_csv_cell(std::string_view text, std::string& out);
// Quotes the text that `out` holds from `begin` on, by the same rule.
void quote_csv_cell(std::size_t begin, std::string& out);

// For a pipe table: one line, with | and \ escaped.
void append_markdown_cell(const std::string& text, std::string& out);

}  // namespace gantry::data

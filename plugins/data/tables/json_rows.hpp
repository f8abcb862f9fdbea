// tables/json_rows.hpp: rows that are a JSON array of objects, by column. Values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tables/columns.hpp"

namespace gantry::data {

struct JsonRows {
  std::vector<std::string> headers;  // all rows' members, in the order they first appear
  std::vector<Cells> rows;           // each as long as the headers; what a row lacks is empty
};

// `text` must outlive the rows. False: it is nested too deeply.
bool read_rows(std::string_view text, JsonRows& rows);

// As make_row_writer() of that format writes them: csv, markdown or jsonl.
std::string write_rows(const JsonRows& rows, std::string_view format);

}  // namespace gantry::data

// tables/json_rows.hpp: a JSON array of objects as rows and columns. Values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tables/columns.hpp"

namespace gantry::data {

struct JsonRows {
  std::vector<std::string> headers;  // the members of all rows, in order of first appearance
  std::vector<Cells> rows;           // each as long as the headers; missing values are empty
};

// `text` must outlive the rows. False: it is nested too deeply.
bool read_rows(std::string_view text, JsonRows& rows);

// Output as from make_row_writer() of that format: csv, markdown or jsonl.
std::string write_rows(const JsonRows& rows, std::string_view format);

}  // namespace gantry::data

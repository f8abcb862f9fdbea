// tables/row_writer.hpp: rows one by one as CSV, Markdown or JSON lines, appended to a text.
//
//   csv       RFC 4180 with a header; lines end with CRLF
//   markdown  a pipe table
//   jsonl     {header: value} a line; a row's missing values are left out
//
// One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tables/columns.hpp"

namespace gantry::data {

class RowWriter {
 public:
  virtual ~RowWriter() = default;
  // Once, before the rows.
  virtual void begin(const std::vector<std::string>& headers, std::string& out) = 0;
  // `cells` has as many as there are headers.
  virtual void row(const Cells& cells, std::string& out) = 0;
};

// Null for another format.
std::unique_ptr<RowWriter> make_row_writer(std::string_view format);

}  // namespace gantry::data

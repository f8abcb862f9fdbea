// tables/row_writer.hpp: writes rows one by one as CSV, Markdown or JSON lines, appended to a text.
//
//   csv       RFC 4180 with a header; lines end with CRLF; null and missing are nothing at all, an
//             empty text is "" (and so is null where a line would be empty otherwise)
//   markdown  a pipe table
//   jsonl     {header: value} a line; a row's missing values are left out
//
// One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tables/cell_source.hpp"

namespace gantry::data {

class RowWriter {
 public:
  virtual ~RowWriter() = default;
  // Call once, before the rows.
  virtual void begin(const std::vector<std::string>& headers, std::string& out) = 0;
  // `cells` has one value for each header.
  virtual void row(const CellSource& cells, std::string& out) = 0;
};

// Null for an unknown format.
std::unique_ptr<RowWriter> make_row_writer(std::string_view format);

}  // namespace gantry::data

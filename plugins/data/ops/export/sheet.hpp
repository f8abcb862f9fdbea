// ops/export/sheet.hpp: collects the rows of an export as one text in its format.
//
// Keeps at most `limit` bytes; further rows are only measured. With a drain nothing is kept. One
// thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ops/export/export_request.hpp"
#include "tables/cell_source.hpp"
#include "tables/grid.hpp"
#include "tables/row_writer.hpp"

namespace gantry::data {

class TableBuilder {
 public:
  // Receives text that ends with a row; it may throw.
  using Drain = std::function<void(std::string_view text)>;

  TableBuilder(const ExportRequest& what, std::size_t limit);
  // Not for the format table.
  TableBuilder(const ExportRequest& what, Drain drain);

  // Adds a row given as JSON. Throws QueryError if it is nested too deeply.
  void add(std::string_view row);
  // Adds a row given as cells; the columns must be known.
  void add(const CellSource& cells);
  // Sets the columns once, if the caller named none and rows are given as cells.
  void begin(Columns columns);
  // Null until the first row if the caller named no columns.
  Columns* columns() { return columns_ ? &*columns_ : nullptr; }
  // The text that was not drained yet; empty if it exceeded the limit.
  std::string take_text();

  const std::vector<std::string>& headers() const;
  // Fields of the rows that are not columns; none if the caller named the columns.
  std::vector<std::string> left_out() const;
  bool is_too_large() const { return is_too_large_; }
  // Approximate size of the text, including rows that were not kept.
  std::size_t bytes() const { return bytes_; }
  // Bytes by column.
  std::vector<std::pair<std::string, std::size_t>> weights() const;

 private:
  void write(const CellSource& cells);
  void drop_if_too_large();

  const ExportRequest& what_;
  const std::size_t limit_ = 0;
  const Drain drain_;
  std::optional<Columns> columns_;
  std::unique_ptr<RowWriter> writer_;  // null: a table
  Grid grid_;
  std::string text_;
  std::vector<std::size_t> weights_;
  std::size_t bytes_ = 0;
  bool is_too_large_ = false;
};

// Parses a row, or a value of it. Throws QueryError when it is nested too deeply.
Json parse_row(std::string_view json);

}  // namespace gantry::data

// tables/cell_source.hpp: access to a row's values by column, independent of their source.
#pragma once

#include <cstddef>
#include <string>

#include "tables/cell.hpp"
#include "tables/columns.hpp"

namespace gantry::data {

class CellSource {
 public:
  virtual ~CellSource() = default;
  virtual std::size_t size() const = 0;
  // Appends the cell text of the column's value, see cell.hpp. Returns false and appends nothing if
  // the value is missing or null.
  virtual bool append_text(std::size_t column, std::string& out) const = 0;
  // Appends the value's JSON. Returns false and appends nothing if the value is missing.
  virtual bool append_json(std::size_t column, std::string& out) const = 0;
};

// Cells picked from a row of JSON. The cells must outlive this object.
class PickedCells final : public CellSource {
 public:
  explicit PickedCells(const Cells& cells) : cells_(cells) {}

  std::size_t size() const override { return cells_.size(); }

  bool append_text(std::size_t column, std::string& out) const override {
    const auto& cell = cells_[column];
    if (!cell || cell->is_null()) return false;
    append_cell_text(*cell, out);
    return true;
  }

  bool append_json(std::size_t column, std::string& out) const override {
    if (!cells_[column]) return false;
    out += cells_[column]->text();
    return true;
  }

 private:
  const Cells& cells_;
};

}  // namespace gantry::data

// tools/gantry/import/row.hpp: a row of a file, and the names of plugins/data/write that an import
// uses throughout. Values; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "write/cell.hpp"
#include "write/convert.hpp"
#include "write/table.hpp"

namespace gantry::cli::importing {

namespace write = data::write;
using data::write::Cell;
using data::write::Column;
using data::write::Form;
using data::write::Stored;
using data::write::Table;

struct Field {
  std::string name;
  Cell cell;
};

struct Row {
  std::size_t number = 0;  // from 1, in the order of the file
  std::size_t line = 0;    // where it begins, from 1
  std::vector<Field> fields;
  std::string json;    // the whole object, where a source was asked for it; fields are empty then
  std::string reason;  // why the row cannot be read; empty: it can
};

}  // namespace gantry::cli::importing

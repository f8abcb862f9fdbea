// write/table.hpp: the class that rows are written to, with its columns. Values; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace gantry::data::write {

// How a column stores values.
enum class Form {
  text,
  integer,
  number,
  boolean,      // 0 or 1
  date_ms,      // milliseconds since 1970, INTEGER
  date_s,       // seconds since 1970
  date_julian,  // Julian day, REAL
  date_text,    // ISO text
  json,         // objects and arrays as JSON text
  any_json,     // whatever JSON has, as JSON text
  bytes,
  any  // each value as SQLite would take it
};

struct Column {
  std::string name;
  Form form = Form::text;
  std::string target = {};  // a pointer: its class; the form is the id's
  std::string key = {};     // a pointer of a new column: the class's key column
  std::string shape = {};   // date_text: as values/iso_date.hpp; empty: any
  // The type of the column makes SQLite store a text in the form of a number as that number; empty:
  // it does not.
  std::string numeric_type = {};
};

struct Table {
  std::string name;
  bool is_new = false;  // it is to be created
  std::vector<Column> columns;
  std::optional<std::size_t> id;  // positions in `columns`
  std::optional<std::size_t> created, updated;
  bool makes_ids = false;                                 // rows without an id get one
  std::optional<std::size_t> readers, writers;            // columns for ACL
  std::unordered_map<std::string, std::size_t> by_field;  // fields that are called otherwise too
  std::string document;  // the column that holds whole objects; then `columns` is that one
};

}  // namespace gantry::data::write

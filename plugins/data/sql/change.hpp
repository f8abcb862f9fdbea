// sql/change.hpp: every statement that changes the rows of a class is written here.
//
// They have no boundary: callers find the row through a view that has one, and name it by its
// place. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "view/class_view.hpp"

namespace gantry::data {

// A column, SQL of the catalog, and a value for it or of it.
struct ColumnValue {
  std::string column;
  Bind value;
};
std::vector<std::string> columns_of(const std::vector<ColumnValue>& values);

// The columns that name one row of the class's table: the rowid, else its key. Empty: nothing does.
std::vector<std::string> place_columns(const ClassView& cls);

// No values: the row of defaults. Tables without rowids return their place.
Fragment insert_row(const ClassView& cls, const std::vector<ColumnValue>& values);
// `values` and `place` have at least one.
Fragment update_row(const ClassView& cls, const std::vector<ColumnValue>& values,
                    const std::vector<ColumnValue>& place);
Fragment delete_row(const ClassView& cls, const std::vector<ColumnValue>& place);

// A condition for the row at `place`. `table`: the alias of its table with a dot, or nothing.
Fragment at_place(const std::vector<ColumnValue>& place, std::string_view table = {});

// Rows of a table as they are stored, whatever the class: for what was written and is taken back.
// `table` and `columns` are names of the database. Nothing replaces another row.
std::string main_table(const std::string& name);  // the table in SQL
Fragment select_stored(const std::string& table, const std::vector<std::string>& columns,
                       const std::vector<ColumnValue>& place);
// All rows that meet the condition (empty: all); `place` columns first.
Fragment select_stored_where(const std::string& table, const std::vector<std::string>& place,
                             const std::vector<std::string>& columns, const Fragment& condition);
Fragment insert_stored(const std::string& table, const std::vector<ColumnValue>& values);
Fragment update_stored(const std::string& table, const std::vector<ColumnValue>& values,
                       const std::vector<ColumnValue>& place);
Fragment delete_stored(const std::string& table, const std::vector<ColumnValue>& place);
Fragment count_stored(const std::string& table);
Fragment any_stored(const std::string& table);  // one row, if there is one

// Rows of `table` that refer to one row of another table: `columns[i]` holds the value of
// `targets[i]`. Names of the database, apart from `place` and `row`.
struct Referring {
  const std::string& table;
  const std::vector<std::string>& place;  // columns that name a row of it, as SQL; at least one
  const std::vector<std::string>& columns;
  const std::string& to_table;
  const std::vector<std::string>& targets;
  const std::vector<ColumnValue>& row;  // the place of the row that they refer to
  // What columns of that row become: if this is no change, no row is meant. Empty: not known.
  const std::vector<ColumnValue>& becomes;
};
// A condition for them. The database compares as its foreign keys do: by the affinity and the
// collation of the target's column.
Fragment refers(const Referring& rows);

// The table's own name.
std::string table_of(const ClassView& cls);

}  // namespace gantry::data

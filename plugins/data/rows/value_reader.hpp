// rows/value_reader.hpp: rows as values, for pipelines.
//
// Compiled once per scan from a class and the fields that the pipeline reads; it copies what it
// needs. A document is
//
//   {_id, objectId, createdAt, updatedAt, fields in column order}
//
// _id is an alias of objectId unless the class has a field of that name. createdAt and updatedAt
// come next if columns have those roles. NULL is a missing field, as in constraints: {$exists:
// false} matches it. Dates become dates, booleans booleans, stored JSON its value without internal
// members at any depth, pointers {"__type":"Pointer","className","objectId"}, and pointers to
// classes that the scope hides {"className","__redacted":true}. A value that does not fit its
// column's kind keeps its own type; text that is not UTF-8 becomes bytes. One thread at a time.
#pragma once

#include <sqlite3.h>

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "policy/scope.hpp"
#include "sql/matcher.hpp"
#include "values/json_appender.hpp"
#include "values/value.hpp"

namespace gantry::data {

class ValueReader {
 public:
  // How a field of the document is derived from its column.
  enum class Form { plain, id, date, boolean, json, pointer, redacted };
  struct Entry {
    std::string name;
    Form form = Form::plain;
    DateForm date_form = DateForm::none;
    int column = 0;
    std::string target;  // pointers: the class
  };

  // `paths`: dotted paths; their first part names a field; null: all fields. Unknown names are
  // ignored.
  static ValueReader compile(const Scope& scope, const ClassInfo& cls,
                             const std::set<std::string>* paths);

  // "`id`,`name`": at least one expression.
  const std::string& select_list() const { return select_list_; }
  // Its expressions: columns, or "1" if no field is read.
  const std::vector<std::string>& columns() const { return columns_; }
  std::size_t column_count() const { return columns_.size(); }
  // The current row of a statement whose columns are select_list().
  Value read(sqlite3_stmt* statement) const;
  // The same from the values of columns(), obtained by other means than a statement.
  Value read(std::span<const StoredValue> row) const;

  // The fields of the documents, in order, and one field of the current row: missing for NULL.
  const std::vector<Entry>& entries() const { return entries_; }
  Value read(sqlite3_stmt* statement, const Entry& entry) const;
  // The current row's id as text, and as a JSON string. The class must have ids.
  std::string id(sqlite3_stmt* statement) const;
  void write_id(sqlite3_stmt* statement, JsonAppender& out) const;

 private:
  void add(std::string_view name, Form form, const Field& field);
  void add_id(const ClassInfo& cls, std::string_view name);
  int select(const std::string& column);
  static Value value_of(const Entry& entry, const StoredValue& value);
  template <class ColumnAt>
  std::string id_of(ColumnAt column_at) const;
  template <class ColumnAt>
  Value document(ColumnAt column_at) const;

  std::string select_list_;
  std::vector<std::string> columns_;
  std::vector<int> id_columns_;
  std::vector<Entry> entries_;
};

}  // namespace gantry::data

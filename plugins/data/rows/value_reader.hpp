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

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "policy/scope.hpp"
#include "sql/stored_value.hpp"
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
    std::size_t column = 0;
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
  // A row whose columns are select_list().
  Value read(Row row) const;

  // The fields of the documents, in order, and one field of a row: missing for NULL.
  const std::vector<Entry>& entries() const { return entries_; }
  Value read(Row row, const Entry& entry) const;
  // The row's id as text, and as a JSON string. The class must have ids.
  std::string id(Row row) const;
  void write_id(Row row, JsonAppender& out) const;

 private:
  void add(std::string_view name, Form form, const Field& field);
  void add_id(const ClassInfo& cls, std::string_view name);
  std::size_t select(const std::string& column);
  Value value_of(const Entry& entry, const StoredValue& value) const;

  ClassFilterPtr classes_;
  std::string select_list_;
  std::vector<std::string> columns_;
  std::vector<std::size_t> id_columns_;
  std::vector<Entry> entries_;
};

}  // namespace gantry::data

// rows/value_reader.hpp: the fields of a class's rows, the columns that they need, and rows as
// values.
//
// Compiled once per statement; it copies what it needs and may outlive the catalog. A document of
// pipelines has the class's fields in column order, behind an objectId if the key is not one
// column: the rowid, or the joined text of a key of several. NULL is a missing field, as in
// constraints:
// {$exists: false} matches it. view/field_form.hpp has the values. Immutable; any thread.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "view/class_view.hpp"
#include "view/object_id.hpp"

namespace gantry::data {

class ValueReader {
 public:
  struct Entry {
    FieldForm form;
    std::size_t column = 0;  // in columns(); objectId: the first column of the key
  };

  // The documents' fields. `paths`: dotted paths; their first part names a field; null: all
  // fields. Unknown names are ignored.
  static ValueReader compile(const ClassView& cls, const std::set<std::string>* paths);
  // Rows in the form of answers (JsonDialect::plain or parse): `common`, of id_alias(), createdAt
  // and updatedAt, then `fields`, which are fields of the class. Names that are there already are
  // skipped. append_id() works.
  static ValueReader compile(const ClassView& cls, const std::vector<std::string_view>& common,
                             const std::vector<const FieldView*>& fields, JsonDialect form);

  // "`id`,`name`": at least one expression. Other columns may follow it in the statement.
  const std::string& select_list() const { return select_list_; }
  // Its expressions: columns, or "1" if no field is read.
  const std::vector<std::string>& columns() const { return columns_; }
  std::size_t column_count() const { return columns_.size(); }
  // The fields, in order.
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<Entry>& entries() const { return entries_; }

  // A row, whose columns begin with select_list(), as an object.
  Value read(Row row) const;
  // One field of the row, by its position in entries(): missing for NULL.
  Value read(Row row, std::size_t entry) const;
  // The row's id as text, and as a JSON string; nothing when the class has no ids.
  void append_id(Row row, std::string& out) const { append_row_id(row, id_columns_, out); }
  void write_id(Row row, JsonAppender& out) const;

 private:
  ValueReader() = default;
  void select_id(const ClassView& cls);
  void add_id(const ClassView& cls, JsonDialect form);
  void add_common(const ClassView& cls, std::string_view name, JsonDialect form);
  void add(std::string_view name, FieldForm form, const std::string& column);
  void finish();
  std::size_t select(const std::string& column);
  std::string id(Row row) const;

  std::string select_list_;
  std::vector<std::string> columns_;
  std::vector<std::size_t> id_columns_;
  std::vector<std::string> names_;
  std::vector<Entry> entries_;  // as many as names
};

}  // namespace gantry::data

// rows/row_plan.hpp: converts the rows of one query to JSON.
//
// Compiled once per query from a class and the requested fields. It copies what it needs and may
// outlive the catalog. Each row is then written from its columns directly as
//
//   {"objectId":…,"createdAt":…,"updatedAt":…, fields in the order asked for}
//
// objectId if the class has ids; createdAt and updatedAt (plain ISO strings) if it has them.
// Immutable after compile(); any thread.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "policy/scope.hpp"
#include "sql/stored_value.hpp"
#include "values/json_appender.hpp"

namespace gantry::data {

// A hook for writing pointers: it can record the referenced objects, or write them in place.
class PointerHook {
 public:
  virtual ~PointerHook() = default;
  // `entry` is the position in names(); `id` the target's objectId. True: the hook appended a
  // replacement of the pointer to `out`. Not called for NULL and for redacted pointers.
  virtual bool write(std::size_t entry, std::string_view id, std::string& out) = 0;
};

struct RowOptions {
  PointerHook* pointers = nullptr;
  std::vector<std::size_t>* bytes = nullptr;  // adds each entry's bytes; sized as names()
  // A larger text or BLOB (in bytes) is counted but not written: no answer could hold it.
  std::size_t longest = std::numeric_limits<std::size_t>::max();
};

class RowPlan {
 public:
  // `fields` are fields of the class, from scope.visible_fields() or find_field(). Duplicates, and
  // fields already shown as objectId, createdAt or updatedAt, are skipped. `qualifier` is the
  // prefix of each column ("t."). Pointers to classes that the scope hides are redacted.
  static RowPlan compile(const Scope& scope, const ClassInfo& cls,
                         const std::vector<const Field*>& fields, std::string_view qualifier = {});

  // "`id`,`name`": at least one column. Other columns may follow it in the statement.
  const std::string& select_list() const { return select_list_; }
  // The columns of select_list(), and the columns that an entry uses, by its position in names().
  const std::vector<std::string>& columns() const { return columns_; }
  std::size_t column_of(std::size_t entry) const { return entries_[entry].column; }
  // The keys of each row's JSON, in order.
  const std::vector<std::string>& names() const { return names_; }

  // Appends a row, whose columns begin with select_list(), as one JSON object. Returns
  // the number of bytes that were counted but not written (RowOptions::longest); if it is not 0,
  // the object is incomplete.
  std::size_t append(Row row, std::string& out, const RowOptions& options = {}) const;
  // Appends the value of one entry, by its position in names(), as JSON.
  void append_entry(Row row, std::size_t entry, std::string& out) const;
  // Appends the entry in the form of a table cell: bare text, a pointer's id, a date's ISO text.
  // JSON values are appended as JSON for the caller to convert; NULL appends nothing.
  enum class Shown { nothing, text, json };
  Shown append_shown(Row row, std::size_t entry, std::string& out) const;
  // Appends the row's objectId as bare text; nothing when the class has none.
  void append_id(Row row, std::string& out) const;

 private:
  enum class Writer { id, instant, plain, date, boolean, json, pointer, redacted };
  struct Entry {
    std::string key;  // "\"name\":", escaped; all but the first begin with a comma
    Writer writer = Writer::plain;
    DateForm form = DateForm::none;
    std::size_t column = 0;
    std::string prefix;  // pointers: the JSON up to the id; redacted pointers: all of it
  };

  void reserve(std::size_t entries);
  void add_id(const ClassInfo& cls);
  void add(std::string_view name, Entry entry, const std::string& column);
  std::size_t select(const std::string& column);
  static Entry entry_for(const Scope& scope, const Field& field);
  bool has(std::string_view name) const;
  // Returns what append() does.
  std::size_t write(const Entry& entry, std::size_t position, Row row, JsonAppender& out,
                    const RowOptions& options) const;
  void write_as(const Entry& entry, std::size_t position, const StoredValue& value,
                JsonAppender& out, PointerHook* hook) const;
  void write_own_id(Row row, JsonAppender& out) const;
  void write_pointer(const Entry& entry, std::size_t position, const StoredValue& value,
                     JsonAppender& out, PointerHook* hook) const;

  std::string qualifier_;
  ClassFilterPtr classes_;
  std::string select_list_;
  std::vector<std::string> columns_;
  std::vector<std::string> names_;
  std::vector<Entry> entries_;
  std::vector<std::size_t> id_columns_;
};

}  // namespace gantry::data

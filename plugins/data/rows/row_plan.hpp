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

#include "rows/value_reader.hpp"

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
  // As ValueReader::compile() with these arguments.
  static RowPlan compile(const Scope& scope, const ClassInfo& cls,
                         const std::vector<const Field*>& fields, std::string_view qualifier = {});

  const std::string& select_list() const { return reader_.select_list(); }
  const std::vector<std::string>& columns() const { return reader_.columns(); }
  // The column that an entry uses, by its position in names().
  std::size_t column_of(std::size_t entry) const { return reader_.entries()[entry].column; }
  // The keys of each row's JSON, in order.
  const std::vector<std::string>& names() const { return reader_.names(); }

  // Appends a row, whose columns begin with select_list(), as one JSON object. Returns
  // the number of bytes that were counted but not written (RowOptions::longest); if it is not 0,
  // the object is incomplete.
  std::size_t append(Row row, std::string& out, const RowOptions& options = {}) const;
  // Appends the value of one entry, by its position in names(), as JSON.
  void append_entry(Row row, std::size_t entry, std::string& out) const;
  // Appends the entry in the form of a table cell.
  FieldForm::Shown append_shown(Row row, std::size_t entry, std::string& out) const;
  // Appends the row's objectId as bare text; nothing when the class has none.
  void append_id(Row row, std::string& out) const { reader_.append_id(row, out); }

 private:
  explicit RowPlan(ValueReader reader) : reader_(std::move(reader)) {}
  // Returns what append() does.
  std::size_t write(Row row, std::size_t entry, JsonAppender& out, const RowOptions& options) const;

  ValueReader reader_;
  std::vector<std::string> keys_;  // "\"name\":", escaped; all but the first begin with a comma
};

}  // namespace gantry::data

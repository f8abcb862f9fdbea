// rows/row_printer.hpp: writes rows as JSON directly from their columns.
//
// A row of a query has all fields of its reader, {"objectId":…,"createdAt":…, …}, with null for
// NULL. A document of a pipeline's answer has the fields that are not NULL, byte for byte as
// ValueReader, apply_dialect() and append_value_json() write it. Immutable; any thread.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "rows/value_reader.hpp"

namespace gantry::data {

// A hook for writing pointers: it can record the referenced objects, or write them in place.
class PointerHook {
 public:
  virtual ~PointerHook() = default;
  // `entry` is the position in names(); `id` the target's stored id. True: the hook appended a
  // replacement of the pointer to `out`. Not called for NULL and for redacted pointers.
  virtual bool write(std::size_t entry, const StoredValue& id, JsonAppender& out) = 0;
};

struct RowOptions {
  PointerHook* pointers = nullptr;
  std::vector<std::size_t>* bytes = nullptr;  // adds each entry's bytes; sized as names()
  // A larger text or BLOB (in bytes) is counted but not written: no answer could hold it.
  std::size_t longest = std::numeric_limits<std::size_t>::max();
};

class RowPrinter {
 public:
  explicit RowPrinter(ValueReader reader);

  // The columns that the rows begin with, and the fields.
  const ValueReader& reader() const { return reader_; }
  const std::vector<std::string>& names() const { return reader_.names(); }

  // Appends the row as one object. Returns the number of bytes that were counted but not written
  // (RowOptions::longest); if it is not 0, the object is incomplete.
  std::size_t append(Row row, std::string& out, const RowOptions& options = {}) const;
  // Appends the row as a document, without the alias _id. False: there is a hook, and stored JSON
  // is a pointer, for which the hook has no class; `out` is then unspecified.
  bool append_document(Row row, std::string& out, PointerHook* pointers = nullptr) const;
  // Appends the value of one entry, by its position in names(). Returns what append() does.
  std::size_t write(Row row, std::size_t entry, JsonAppender& out,
                    const RowOptions& options = {}) const;

 private:
  Value json_of(Row row, std::size_t entry) const;

  ValueReader reader_;
  std::vector<std::string> keys_;  // ",\"name\":", escaped
};

}  // namespace gantry::data

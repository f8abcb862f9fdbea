// rows/row_printer.hpp: writes rows as JSON directly from their columns.
//
// A row of a query keeps the text of stored JSON. A document of a pipeline's answer is written byte
// for byte as from its values (ValueReader, append_value_json). Immutable; any thread.
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
  bool with_nulls = true;  // NULL is null; false: its field is left out
  PointerHook* pointers = nullptr;
  std::vector<std::size_t>* bytes = nullptr;  // adds each entry's bytes; sized as names()
  // A larger text or BLOB (in bytes) is counted but not written: no answer could hold it.
  std::size_t longest = std::numeric_limits<std::size_t>::max();
};

class RowPrinter {
 public:
  // `form` is JsonDialect::plain or parse.
  RowPrinter(ValueReader reader, JsonDialect form);

  // The columns that the rows begin with, and the fields.
  const ValueReader& reader() const { return reader_; }
  const std::vector<std::string>& names() const { return reader_.names(); }

  // Appends the row as one object. Returns the number of bytes that were counted but not written
  // (RowOptions::longest); if it is not 0, the object is incomplete.
  std::size_t append(Row row, std::string& out, const RowOptions& options = {}) const;
  JsonDialect form() const { return form_; }

  // Appends the row as a document, without fields that are NULL.
  void append_document(Row row, std::string& out) const;
  // Appends the value of one entry, by its position in names(). Returns what append() does.
  std::size_t write(Row row, std::size_t entry, JsonAppender& out,
                    const RowOptions& options = {}) const;

 private:
  ValueReader reader_;
  JsonDialect form_;
  std::vector<std::string> keys_;  // ",\"name\":", escaped
};

}  // namespace gantry::data

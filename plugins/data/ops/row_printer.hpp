// ops/row_printer.hpp: rows of a class as the documents of an answer, straight from their
// statement.
//
// The same bytes as by way of values: what ValueReader reads, dress_documents() dresses and
// documents_json() writes. One thread.
#pragma once

#include <sqlite3.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rows/value_reader.hpp"

namespace gantry::data {

// "\"name\":", as objects of values have it: a name that is not UTF-8 is the empty one.
std::string json_key(std::string_view name);

class RowPrinter {
 public:
  enum class Pointers { objects, ids };
  // Of all fields that the scope shows. Nothing: rows of the class have to be made to be written.
  static std::optional<RowPrinter> make(const Scope& scope, const ClassInfo& cls,
                                        Pointers pointers);

  const ValueReader& reader() const { return reader_; }
  bool has_field(std::string_view name) const;
  // Appends the current row. False: stored JSON is a pointer, and whether those of its field are
  // written as ids depends on all documents; `out` is then unspecified.
  bool append(sqlite3_stmt* statement, std::string& out);
  // The fields of which pointers were written as ids, and the class that they lead to.
  std::map<std::string, std::string> classes() const;

 private:
  struct Printed {
    std::string key;           // "\"name\":"
    std::size_t entry;         // of the reader's
    bool is_instant = false;   // a date goes as its bare text
    std::string pointer = {};  // the JSON of a pointer up to its id; of a redacted one, all of it
    bool was_pointer = false;
  };

  RowPrinter(ValueReader reader, Pointers pointers);
  bool append_field(sqlite3_stmt* statement, Printed& field, std::string& out);
  bool append_json(const ValueReader::Entry& entry, Value value, std::string& out) const;
  void append_pointer(const StoredValue& value, Printed& field, std::string& out);

  ValueReader reader_;
  Pointers pointers_;
  std::vector<Printed> fields_;
};

}  // namespace gantry::data

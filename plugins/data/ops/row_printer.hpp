// ops/row_printer.hpp: rows of a class as the documents of an answer, straight from their
// statement.
//
// The same bytes as by way of values: what ValueReader reads, dress_documents() dresses and
// documents_json() writes. One thread.
#pragma once

#include <sqlite3.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "rows/value_reader.hpp"
#include "values/json_appender.hpp"

namespace gantry::data {

struct Request;

// "\"name\":", as objects of values have it: a name that is not UTF-8 is the empty one.
std::string json_key(std::string_view name);

// What is the same for all answers of one class. Immutable; any thread.
struct RowForm {
  struct Field {
    std::string key;  // ",\"name\":"
    ValueReader::Form form;
    DateForm date_form;
    int column;
    bool is_instant;      // a date goes as its bare text
    std::size_t entry;    // of the reader's
    std::string pointer;  // the JSON of a pointer up to its id; of a redacted one, all of it
  };

  ValueReader reader;
  std::vector<Field> fields;

  // Of all fields that the scope shows. Null: rows of the class have to be made to be written.
  static std::shared_ptr<const RowForm> make(const Scope& scope, const ClassInfo& cls);
};

// The forms of one catalog's classes: what a scope shows follows from its catalog alone. Those of
// the catalog before go when another one is asked for. Any thread.
class RowForms {
 public:
  // As RowForm::make(); `cls` is of the scope's catalog.
  std::shared_ptr<const RowForm> of(const Scope& scope, const ClassInfo& cls);

 private:
  std::mutex mutex_;
  CatalogPtr catalog_;
  std::unordered_map<const ClassInfo*, std::shared_ptr<const RowForm>> forms_;
};

// The form of a class of the request's scope, remembered where the request has a memory.
std::shared_ptr<const RowForm> form_of(const Request& request, const ClassInfo& cls);

class RowPrinter {
 public:
  enum class Pointers { objects, ids };
  RowPrinter(std::shared_ptr<const RowForm> form, Pointers pointers)
      : form_(std::move(form)), pointers_(pointers), was_pointer_(form_->fields.size()) {}

  const ValueReader& reader() const { return form_->reader; }
  bool has_field(std::string_view name) const;
  // Appends the current row. False: stored JSON is a pointer, and whether those of its field are
  // written as ids depends on all documents; `out` is then unspecified.
  bool append(sqlite3_stmt* statement, std::string& out);
  // The fields of which pointers were written as ids, and the class that they lead to.
  std::map<std::string, std::string> classes() const;

 private:
  void write(const StoredValue& value, std::size_t field, JsonAppender& out);
  Value json_of(sqlite3_stmt* statement, const ValueReader::Entry& entry) const;

  std::shared_ptr<const RowForm> form_;
  Pointers pointers_;
  std::vector<bool> was_pointer_;  // by field
};

}  // namespace gantry::data

// ops/row_printer.hpp: writes rows of a class as the documents of an answer, directly from their
// statement.
//
// The output is byte for byte that of ValueReader, apply_dialect() and documents_json(). One
// thread.
#pragma once

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

// "\"name\":", as in the JSON of objects; a name that is not UTF-8 becomes the empty one.
std::string json_key(std::string_view name);

// The data common to all answers of one class. Immutable; any thread.
struct RowLayout {
  struct Field {
    std::string key;    // ",\"name\":"
    std::size_t entry;  // index in the reader's entries
  };

  ValueReader reader;
  std::vector<Field> fields;

  // For all fields that the scope shows. Null: rows of the class cannot be printed directly.
  static std::shared_ptr<const RowLayout> make(const Scope& scope, const ClassInfo& cls);
};

// The layouts of one catalog's classes, for scopes of all classes. Those of the previous
// catalog are dropped when another one is used. Any thread.
class RowLayouts {
 public:
  // As RowLayout::make(); `cls` is of the scope's catalog.
  std::shared_ptr<const RowLayout> of(const Scope& scope, const ClassInfo& cls);

 private:
  std::mutex mutex_;
  CatalogPtr catalog_;
  std::unordered_map<const ClassInfo*, std::shared_ptr<const RowLayout>> forms_;
};

// The layout of a class of the request's scope, cached in the request's memory if that may be.
std::shared_ptr<const RowLayout> layout_of(const Request& request, const ClassInfo& cls);

class RowPrinter {
 public:
  enum class Pointers { objects, ids };
  RowPrinter(std::shared_ptr<const RowLayout> form, Pointers pointers)
      : form_(std::move(form)), pointers_(pointers), was_pointer_(form_->fields.size()) {}

  const ValueReader& reader() const { return form_->reader; }
  bool has_field(std::string_view name) const;
  // Appends the current row. False: stored JSON is a pointer, and whether pointers of its field are
  // written as ids depends on all documents; `out` is then unspecified.
  bool append(Row row, std::string& out);
  // The fields whose pointers were written as ids, with the pointers' class.
  std::map<std::string, std::string> classes() const;

 private:
  Value json_of(Row row, std::size_t entry) const;

  std::shared_ptr<const RowLayout> form_;
  Pointers pointers_;
  std::vector<bool> was_pointer_;  // by field
};

}  // namespace gantry::data

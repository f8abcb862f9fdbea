// rows/class_reader.hpp: the rows of a class as documents, whatever stores them.
//
// In a class with columns every row is a document. In a document class a row may hold something
// else; reading it is an error. Any thread; a reader is used by one thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "rows/document_reader.hpp"
#include "values/extended_json.hpp"
#include "values/fragment.hpp"

namespace gantry::data {

class ClassReader {
 public:
  virtual ~ClassReader() = default;
  // The columns of its statement, and their number.
  virtual const std::string& select_list() const = 0;
  virtual std::size_t column_count() const = 0;
  virtual Value read(Row row) const = 0;
};

// Reads the root fields of `paths` (null: all). Stored documents are always read whole, and begin
// with their objectId if `ids` says so.
std::unique_ptr<const ClassReader> class_reader(const ClassView& cls,
                                                const std::set<std::string>* paths,
                                                DocumentReader::Ids ids);

// True for the rows that hold no document, as DocumentReader reads them. None: there are no such
// rows.
std::optional<Fragment> rows_without_document(const ClassView& cls);

// The only choice by how a class stores its objects, for the folders above: calls one of two
// functions without arguments, of the same result.
template <class Columns, class Documents>
decltype(auto) by_storage(const ClassView& cls, Columns columns, Documents documents) {
  return cls.is_document() ? documents() : columns();
}

// The JSON form of a class's values (null: of no class): as documents are stored, `row_form` for
// columns.
JsonDialect dialect_of(const ClassView* cls, JsonDialect row_form);

}  // namespace gantry::data

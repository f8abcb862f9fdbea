// rows/document_reader.hpp: the rows of a document class as values.
//
// A document is what its column says, in its order, without the names on the floor of internal
// columns. For readers that show objects, objectId stands before it: the text of _id, else a text
// that the document itself calls objectId, else the row's number, or the key of a table that has
// none; one thread at a time.
#pragma once

#include <sqlite3.h>

#include <string>

#include "catalog/catalog.hpp"
#include "values/query_error.hpp"
#include "values/value.hpp"

namespace gantry::data {

// A row holds no document: what read() throws.
class NoDocument : public QueryError {
 public:
  using QueryError::QueryError;
};

class DocumentReader {
 public:
  enum class Ids { none, shown };
  DocumentReader(const ClassInfo& cls, Ids ids);

  // "`doc`,rowid", or the columns of the key
  const std::string& select_list() const { return select_list_; }
  // The current row of a statement whose columns begin with select_list(). Throws NoDocument with
  // store_error when it holds no JSON object: names the class and the row.
  Value read(sqlite3_stmt* statement) const;

 private:
  [[noreturn]] void refuse(sqlite3_stmt* statement, const std::string& why) const;
  Value with_id(const Value& document, sqlite3_stmt* statement) const;

  std::string class_name_;
  std::string select_list_;
  std::string row_id(sqlite3_stmt* statement) const;  // empty: nothing tells rows apart

  int key_columns_;  // that follow the document
  Ids ids_;
};

}  // namespace gantry::data

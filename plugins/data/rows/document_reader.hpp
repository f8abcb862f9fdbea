// rows/document_reader.hpp: the rows of a document class as values.
//
// A document is the JSON of its column, in its order, without internal names (catalog/floor.hpp)
// and without the root fields that the rules deny. For operations on objects, objectId is put in
// front: the text of _id, else a text in the document's own field objectId, else the rowid, or the
// key of a table that has none. One thread at a time.
#pragma once

#include <string>
#include <vector>

#include "errors/query_error.hpp"
#include "policy/class_filter.hpp"
#include "values/stored_value.hpp"
#include "values/value.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

// Thrown by read() if a row does not hold a document.
class NoDocument : public QueryError {
 public:
  using QueryError::QueryError;
};

class DocumentReader {
 public:
  enum class Ids { none, shown };
  DocumentReader(const ClassView& cls, Ids ids);

  // "`doc`,rowid", or the columns of the key
  const std::string& select_list() const { return select_list_; }
  // A row whose columns begin with select_list(). Throws NoDocument with
  // store_error, naming the class and the row, if the column does not hold a JSON object.
  Value read(Row row) const;

 private:
  [[noreturn]] void refuse(Row row, const std::string& why) const;
  Value with_id(const Value& document, Row row) const;
  std::string row_id(Row row) const;  // empty: the table has no usable key

  std::string class_name_;
  std::string select_list_;
  std::vector<std::size_t> key_;  // the key's columns
  Ids ids_;
  ClassFilterPtr classes_;
  FieldRulesPtr permitted_;
};

}  // namespace gantry::data

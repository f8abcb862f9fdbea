// ops/sql/sql_rows.hpp: the rows of a caller's statement as JSON arrays.
//
// One request, one thread.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "ops/sql/sql_statement.hpp"

namespace gantry::data {

struct SqlRows {
  std::string text = "[";  // without the last bracket
  std::size_t count = 0;
  bool has_more = false;  // than the limit
  bool is_large = false;  // the rest did not fit
  // The last row's values of the page keys, a JSON array. Empty: there are no keys, or the values
  // do not tell one row from another, or the answer shows them in another form.
  std::string last_keys = {};
};

// Writes one column of the answer.
struct SqlColumn {
  const FieldView* field = nullptr;  // null: the value itself
  const ClassView* document = nullptr;

  void write(const StoredValue& value, JsonAppender& out) const;
};

class SqlReader {
 public:
  // `room`: bytes for the rows.
  SqlReader(const SqlStatement& statement, std::size_t room);

  // Throws if the statement yields other columns than those that were judged.
  SqlRows read(Cursor& cursor, std::size_t limit) const;

 private:
  // A row's values of the page keys, each with its bytes, or more of them than a key may have.
  using Kept = std::vector<std::pair<StoredValue, std::string>>;

  bool add(Row row, SqlRows& rows) const;
  void keep(Row row, Kept& last) const;
  std::string keys_of(const Kept& last) const;

  std::vector<SqlColumn> columns_;
  const PageOrder& pages_;
  std::size_t room_;
};

}  // namespace gantry::data

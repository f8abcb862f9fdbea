// tools/gantry/import/foreign_keys.hpp: checks that written rows refer to existing rows.
//
// Checked after all rows are written, since a row may refer to a later one. References to a missing
// table are not checked: the classes of one export refer to each other and may be imported in any
// order. One thread; the database must outlive it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gantry/result.hpp>

#include "tools/gantry/import/database.hpp"

namespace gantry::cli::importing {

class ForeignKeys {
 public:
  // Those that the table declares. Of a table without row numbers SQLite itself is made to look, at
  // each row; call it before the transaction begins.
  static Result<ForeignKeys> read(Database& database, const std::string& table);

  bool empty() const { return keys_.empty(); }
  bool any_of_itself() const;  // some refer to the table's own rows

  // Describes a missing row that the row of this number refers to; empty: none is missing.
  Result<std::string> missing_of(std::int64_t row) const;
  Status remove(std::int64_t row) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;
  struct Key {
    std::string parent;
    std::vector<std::pair<std::string, std::string>> columns;  // of the table, of the parent
    bool is_own = false;
    Statement missing;  // one row where it leads nowhere
  };

  explicit ForeignKeys(Database& database) : database_(&database) {}
  Status read_keys(const std::string& table);
  Status prepare(const std::string& table, const std::string& rowid);
  Result<Statement> compile(const std::string& sql) const;
  Result<std::vector<std::string>> list(const std::string& sql, const std::string& table) const;

  Database* database_;
  std::vector<Key> keys_;
  Statement remove_;
};

}  // namespace gantry::cli::importing

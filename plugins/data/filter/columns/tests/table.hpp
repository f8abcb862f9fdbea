// A table in memory with a class over it, for tests of constraints. One thread.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "filter/columns/where.hpp"
#include "sql/dialect.hpp"
#include "sql/select.hpp"

namespace gantry::data::testing {

class Database {
 public:
  Database();
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void run(const std::string& sql);
  // The first column of every row, as text, in order; the error's text if the statement fails.
  std::vector<std::string> rows(const std::string& sql, const std::vector<Bind>& binds);
  // The output of EXPLAIN QUERY PLAN, lines joined with "; ".
  std::string plan(const std::string& sql, const std::vector<Bind>& binds);

 private:
  sqlite3_stmt* prepare(const std::string& sql, const std::vector<Bind>& binds);
  sqlite3* db_ = nullptr;
};

// A field whose column has its name.
Field field(std::string name, Kind kind);

// Ids of the matching rows, "1,3,4"; a refusal is "!code: message".
std::string select(Database& db, const Scope& scope, std::string_view cls, std::string_view where,
                   std::string_view order = {}, const WhereOptions& options = {sqlite_dialect()});

// Throws QueryError.
Predicate compile(const Scope& scope, std::string_view cls, std::string_view where,
                  const WhereOptions& options = {sqlite_dialect()});

std::string joined(const std::vector<std::string>& parts);

}  // namespace gantry::data::testing

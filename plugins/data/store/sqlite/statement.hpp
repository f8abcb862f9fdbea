// store/sqlite/statement.hpp: one run of a prepared statement.
//
//   while (statement.next()) … statement.raw() …
//   if (!statement.status()) return statement.status();
//
// Movable. The destructor resets it, clears its bindings and returns it to its connection's cache.
// It must not outlive its lease. Column pointers are valid until the next call of next().
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <gantry/status.hpp>

#include "sql/fragment.hpp"
#include "store/sqlite/statement_cache.hpp"

namespace gantry::data::sqlite {

class Connection;

class Statement {
 public:
  Statement(Connection* connection, CachedStatement* cached)
      : connection_(connection), cached_(cached) {}
  Statement(Statement&& other) noexcept
      : connection_(other.connection_),
        cached_(std::exchange(other.cached_, nullptr)),
        status_(std::move(other.status_)) {}
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  // Binds all parameters, in order. GANTRY_FAILED when their number differs from that of the text.
  Status bind(const std::vector<Bind>& values);

  // True: there is a row. False: the end, or an error that status() returns.
  bool next() {
    const int rc = sqlite3_step(cached_->stmt);
    return rc == SQLITE_ROW || finish(rc);
  }
  const Status& status() const { return status_; }

  sqlite3_stmt* raw() const { return cached_->stmt; }
  std::int64_t integer(int column) const { return sqlite3_column_int64(raw(), column); }
  std::string_view text(int column) const;  // empty for NULL
  bool is_null(int column) const { return sqlite3_column_type(raw(), column) == SQLITE_NULL; }

 private:
  bool finish(int code);  // always returns false

  Connection* connection_;
  CachedStatement* cached_;
  Status status_;
};

}  // namespace gantry::data::sqlite

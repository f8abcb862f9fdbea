// store/sqlite/statement.hpp: one run of a prepared statement.
//
// Movable. The destructor resets it, clears its bindings and returns it to its connection's cache.
// It must not outlive its connection's lease.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <gantry/status.hpp>

#include "store/sqlite/statement_cache.hpp"
#include "store/store.hpp"

namespace gantry::data::sqlite {

class Connection;

class Statement final : public Cursor {
 public:
  Statement(Connection* connection, CachedStatement* cached)
      : connection_(connection), cached_(cached) {}
  Statement(Statement&& other) noexcept
      : connection_(other.connection_),
        cached_(std::exchange(other.cached_, nullptr)),
        status_(std::move(other.status_)) {}
  Statement& operator=(Statement&&) = delete;
  ~Statement() override;

  // Binds all parameters, in order. GANTRY_FAILED when their number differs from that of the text.
  Status bind(const std::vector<Bind>& values);

  bool next() override { return step() || (status_ && confirm()); }
  bool step() override {
    const int code = sqlite3_step(cached_->stmt);
    return code == SQLITE_ROW || end(code);
  }
  Row row() override;
  const Status& status() const override { return status_; }
  Status restart(const std::vector<Bind>& values) override;

  // For the statements of this folder, which know their columns.
  sqlite3_stmt* raw() const { return cached_->stmt; }
  std::int64_t integer(int column) const { return sqlite3_column_int64(raw(), column); }
  std::string_view text(int column) const;  // empty for NULL
  bool is_null(int column) const { return sqlite3_column_type(raw(), column) == SQLITE_NULL; }

 private:
  // Both set status() and return false.
  bool end(int code);
  bool confirm();

  Connection* connection_;
  CachedStatement* cached_;
  Status status_;
};

}  // namespace gantry::data::sqlite

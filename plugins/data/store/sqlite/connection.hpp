// store/sqlite/connection.hpp: one guarded read connection and its prepared statements.
//
// Used by one thread at a time (the pool sees to that). Between begin() and end() it works under a
// Budget: a statement that outlives it stops, and the connection is good for the next request.
#pragma once

#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <gantry/result.hpp>

#include "sql/fragment.hpp"
#include "store/sqlite/file_state.hpp"
#include "store/sqlite/guard.hpp"
#include "store/sqlite/match_function.hpp"
#include "store/sqlite/statement.hpp"
#include "store/sqlite/statement_cache.hpp"
#include "values/budget.hpp"

namespace gantry::data::sqlite {

class Connection {
 public:
  // Opens and reads the first page, so that a file that is no database is refused here. Waits for
  // a locked one within `budget`, and works under it from then on. `vfs` outlives this.
  static Result<std::unique_ptr<Connection>> open(const std::string& path, const FileState& files,
                                                  Role role, const Tuning& tuning,
                                                  const Budget& budget, const ReadVfs& vfs);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void begin(Budget budget);
  void end();

  // The statement is ready to step. Errors: GANTRY_DENIED for text that the guard refuses,
  // GANTRY_FAILED for the database's own complaints; both are faults of whoever wrote the SQL.
  Result<Statement> prepare(const Fragment& fragment);
  Result<Statement> prepare(std::string_view sql);

  sqlite3* raw() const { return db_; }
  const FileState& files() const { return files_; }
  int cache_kib() const { return cache_kib_; }

  // The Status for a failed step: the budget's when the budget stopped it.
  Status step_error(int code) const;
  // After the last row of a file that no lock keeps still: fails when another program changed it
  // meanwhile.
  Status confirm_unchanged() const;
  void release_memory();
  // See ReadVfs::wal_index().
  std::string wal_index() const { return ReadVfs::wal_index(db_); }

 private:
  Connection(std::string path, const FileState& files) : path_(std::move(path)), files_(files) {}
  Status open_file(Role role, const Tuning& tuning, const char* vfs);
  Result<Statement> find_or_compile(std::string_view sql);
  static int on_progress(void* self);
  static int on_busy(void* self, int attempts);
  static bool on_match(void* self);

  std::string path_;
  FileState files_;
  sqlite3* db_ = nullptr;
  int cache_kib_ = 0;
  Budget budget_;
  MatchGuard match_guard_;
  std::chrono::steady_clock::time_point busy_since_;
  StatementCache cache_;
};

}  // namespace gantry::data::sqlite

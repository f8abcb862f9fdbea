// store/sqlite/connection.hpp: one guarded read connection and its prepared statements.
//
// Used by one thread at a time (the pool ensures that). Between begin() and end() it works under a
// Budget: a statement that exceeds it is stopped, and the connection stays usable.
#pragma once

#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

#include "store/editor.hpp"
#include "store/sqlite/caller_functions.hpp"
#include "store/sqlite/edit_guard.hpp"
#include "store/sqlite/file_state.hpp"
#include "store/sqlite/guard.hpp"
#include "store/sqlite/match_function.hpp"
#include "store/sqlite/statement.hpp"
#include "store/sqlite/statement_cache.hpp"
#include "values/budget.hpp"
#include "values/fragment.hpp"

namespace gantry::data::sqlite {

// It has more than twelve members: the connection, and the state of the work under its budget.
class Connection {
 public:
  // Opens the file and reads the first page, so that a file that is not a database is refused here.
  // Waits for a locked file within `budget`, and works under `budget` from then on. `vfs` must
  // outlive the connection.
  static Result<std::unique_ptr<Connection>> open(const std::string& path, const FileState& files,
                                                  Role role, const Tuning& tuning,
                                                  const Budget& budget, const ReadVfs& vfs);
  // A connection that writes what `rights` allow. They must outlive it. Waits as open() does.
  static Result<std::unique_ptr<Connection>> open_for_edits(const std::string& path,
                                                            const EditRights& rights,
                                                            const Budget& budget);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void begin(Budget budget);
  void end();

  // Returns a statement ready to step. Errors: GANTRY_DENIED if the guard refuses the text,
  // GANTRY_FAILED for the database's errors. Both are the fault of the code that made the SQL.
  Result<Statement> prepare(const Fragment& fragment);
  Result<Statement> prepare(std::string_view sql);
  // As Lease::prepare_for_caller().
  Result<Statement> prepare_for_caller(const CallerStatement& statement);

  // Runs SQL without results, of a transaction. Returns SQLite's code.
  int run(const char* sql) { return sqlite3_exec(db_, sql, nullptr, nullptr, nullptr); }
  // Runs one DROP TABLE on a connection that writes.
  int drop_table(const std::string& sql) { return edit_guard_->drop_table(db_, sql); }

  sqlite3* raw() const { return db_; }
  const Budget& budget() const { return budget_; }
  const FileState& files() const { return files_; }
  int cache_kib() const { return cache_kib_; }

  // The Status of a failed step: the budget's error if the budget stopped it.
  Status step_error(int code) const;
  // Call after the last row if no lock protects the file: fails when another program changed the
  // file during the read.
  Status confirm_unchanged() const;
  void release_memory();
  // See ReadVfs::wal_index().
  std::string wal_index() const { return ReadVfs::wal_index(db_); }

 private:
  Connection(std::string path, const FileState& files) : path_(std::move(path)), files_(files) {}
  Status open_file(Role role, const Tuning& tuning, const char* vfs);
  Status open_main(const std::string& uri, int flags, const char* vfs);
  Status register_functions();
  Result<Statement> find_or_compile(std::string_view sql);
  Result<Statement> prepare_text(const Fragment& statement);
  Status note_body(std::string_view sql);
  bool takes_too_much();
  static int on_progress(void* self);
  static int on_busy(void* self, int attempts);
  static bool on_match(void* self);

  std::string path_;
  FileState files_;
  std::unique_ptr<EditGuard> edit_guard_;  // null: the connection reads
  sqlite3* db_ = nullptr;
  int cache_kib_ = 0;
  Budget budget_;
  MatchGuard match_guard_;
  std::chrono::steady_clock::time_point busy_since_;
  StatementCache cache_;
  OwnFunctions functions_;
  CallerText caller_text_;
  bool has_caller_text_ = false;      // since begin(): memory and values are limited
  bool took_too_much_ = false;        // a statement was stopped for it
  std::int64_t memory_at_start_ = 0;  // of all connections, when that began
};

}  // namespace gantry::data::sqlite

// ops/tests/statement_recorder.hpp: the statements that connections run, and what they read.
#pragma once

#include <sqlite3.h>

#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace gantry::data {

// The statements of all connections that are opened while it lives.
class StatementRecorder {
 public:
  StatementRecorder() { sqlite3_auto_extension(reinterpret_cast<void (*)()>(attach)); }
  ~StatementRecorder() { sqlite3_cancel_auto_extension(reinterpret_cast<void (*)()>(attach)); }
  StatementRecorder(const StatementRecorder&) = delete;
  StatementRecorder& operator=(const StatementRecorder&) = delete;

  static std::vector<std::string> take() {
    const std::lock_guard held(mutex());
    return std::exchange(statements(), {});
  }

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  static std::vector<std::string>& statements() {
    static std::vector<std::string> all;
    return all;
  }
  static int note(unsigned /*type*/, void* /*context*/, void* statement, void* /*text*/) {
    const char* const sql = sqlite3_sql(static_cast<sqlite3_stmt*>(statement));
    const std::lock_guard held(mutex());
    if (sql != nullptr) statements().emplace_back(sql);
    return 0;
  }
  static int attach(sqlite3* db, const char** /*error*/, const void* /*api*/) {
    return sqlite3_trace_v2(db, SQLITE_TRACE_STMT, note, nullptr);
  }
};

// A column that a statement reads, and the named sub-query or view that it is read in; "": none.
struct ColumnRead {
  std::string table, column, inside;
  bool operator<(const ColumnRead& other) const {
    return std::tie(table, column, inside) < std::tie(other.table, other.column, other.inside);
  }
};

// Compiles statements as the engine's connections do, and says what they read.
class StatementReader {
 public:
  explicit StatementReader(const std::string& path) {
    is_open_ = sqlite3_open(path.c_str(), &db_) == SQLITE_OK;
    const auto none = [](sqlite3_context* context, int, sqlite3_value**) {
      sqlite3_result_null(context);
    };
    for (const char* name : {"gantry_match", "gantry_match_row", "gantry_key", "gantry_shown",
                             "gantry_date", "gantry_datetime", "gantry_julianday",
                             "gantry_strftime", "gantry_time", "gantry_unixepoch"}) {
      sqlite3_create_function(db_, name, -1, SQLITE_UTF8, nullptr, none, nullptr, nullptr);
    }
    sqlite3_create_collation(db_, "gantry_utf8", SQLITE_UTF8, nullptr,
                             [](void*, int, const void*, int, const void*) { return 0; });
  }
  StatementReader(const StatementReader&) = delete;
  StatementReader& operator=(const StatementReader&) = delete;
  ~StatementReader() { sqlite3_close(db_); }

  // False: the statement does not compile.
  bool read(const std::string& sql, std::set<ColumnRead>& columns) {
    sqlite3_set_authorizer(db_, note, &columns);
    sqlite3_stmt* statement = nullptr;
    const bool is_done =
        is_open_ && sqlite3_prepare_v2(db_, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK;
    sqlite3_finalize(statement);
    return is_done;
  }

 private:
  static int note(void* columns, int action, const char* table, const char* column, const char*,
                  const char* inside) {
    const bool names_one = table != nullptr && column != nullptr && *column != '\0';
    if (action == SQLITE_READ && names_one) {
      static_cast<std::set<ColumnRead>*>(columns)->insert(
          {table, column, inside == nullptr ? "" : inside});
    }
    return SQLITE_OK;
  }

  sqlite3* db_ = nullptr;
  bool is_open_ = false;
};

}  // namespace gantry::data

// store/sqlite/guard.hpp: restricts a connection: SQL text cannot write, access other files, or
// read the database's internal tables.
#pragma once

#include <sqlite3.h>

#include <set>
#include <string>
#include <string_view>

#include <gantry/status.hpp>

namespace gantry::data::sqlite {

// The purpose of a connection. `catalog` connections may read sqlite_schema, sqlite_stat1 and the
// describing pragmas, and run fixed statements only. `rows` connections may not.
enum class Role { rows, catalog };

struct Tuning {
  int cache_kib = 16 * 1024;
  // 0: no memory mapping. If another program truncates a mapped file, this process gets SIGBUS;
  // therefore it is off by default.
  sqlite3_int64 mmap_bytes = 0;
};

// The second check of a caller's text, after Probe. While it is compiled, a table may be read only
// inside the sub-queries that we wrote for its classes (kOwnNames), and the database's views that
// these read; outside them only the functions of caller_functions.hpp may be called.
struct CallerText {
  enum class Now { none, bodies, text };
  using Names = std::set<std::string, std::less<>>;

  Now compiles = Now::none;  // our sub-queries alone, or a caller's text with them
  Names views, tables;       // that our sub-queries have read since the connection was opened
  bool has_refused = false;  // something of the text that was compiled last
};

// Runs the set-up pragmas, then sets limits and the authorizer. A value beyond kMostValueBytes ends
// its statement before SQLite reads it; the size of such a BLOB can be queried. Must be the first
// use of `db`. `caller` (null: there are no such texts) must outlive `db`.
Status guard_connection(sqlite3* db, Role role, const Tuning& tuning, CallerText* caller = nullptr);

// The limits of every statement.
void limit_statements(sqlite3* db);

// Whether the pragma only describes the database. Full-text tables use data_version themselves.
bool describes(const char* pragma, const char* argument);

// Whether the name `a` begins with `b`, in any case; false for null.
bool begins(const char* a, std::string_view b);

// Functions that no statement may call: they reach other files or the process.
bool is_forbidden_function(const char* name);
// Compiled, but never run, while SQLite connects a virtual table: the authorizer answers IGNORE.
bool declares_virtual_table(int action, const char* table, const char* column);

// Turns off what no connection of ours needs: extensions, triggers, writing to SQLite's own tables.
void turn_off_extras(sqlite3* db);

// Limits values and patterns while a statement with a caller's text runs.
void limit_caller_values(sqlite3* db);
void unlimit_caller_values(sqlite3* db);

}  // namespace gantry::data::sqlite

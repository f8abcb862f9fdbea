// store/sqlite/guard.hpp: restricts a connection: SQL text cannot write, access other files, or
// read the database's internal tables.
#pragma once

#include <sqlite3.h>

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

// Runs the set-up pragmas, then sets limits and the authorizer. A value beyond kMostValueBytes ends
// its statement before SQLite reads it; the size of such a BLOB can be queried. Must be the first
// use of `db`.
//
// While `*is_caller_text` is true (null: never), the text that is compiled holds a caller's:
// outside the sub-queries that we wrote for its classes it may read no table, and call only the
// functions of caller_functions.hpp. It is the second check after Probe. The pointer outlives `db`.
Status guard_connection(sqlite3* db, Role role, const Tuning& tuning,
                        const bool* is_caller_text = nullptr);

// Limits values and patterns while a statement with a caller's text runs, or takes that back.
void limit_caller_values(sqlite3* db, bool is_limited);

}  // namespace gantry::data::sqlite

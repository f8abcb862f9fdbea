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
Status guard_connection(sqlite3* db, Role role, const Tuning& tuning);

}  // namespace gantry::data::sqlite

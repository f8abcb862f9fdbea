// store/sqlite/guard.hpp: restricts a connection: SQL text cannot write, access other files, or
// read the database's internal tables.
#pragma once

#include <sqlite3.h>

#include <cstddef>

#include <gantry/status.hpp>

namespace gantry::data::sqlite {

// The purpose of a connection. `catalog` connections may read sqlite_schema, sqlite_stat1 and the
// describing pragmas, and run fixed statements only. `rows` connections may not.
enum class Role { rows, catalog };

// The maximum size of one value in bytes. Reading a larger one, which no answer could hold, ends
// the statement with GANTRY_TOO_BIG before SQLite reads it. The size of a larger BLOB can be
// queried.
inline constexpr std::size_t kMostValueBytes = 64u << 20;

struct Tuning {
  int cache_kib = 16 * 1024;
  // 0: no memory mapping. If another program truncates a mapped file, this process gets SIGBUS;
  // therefore it is off by default.
  sqlite3_int64 mmap_bytes = 0;
};

// Runs the set-up pragmas, then sets limits and the authorizer. Must be the first use of `db`.
Status guard_connection(sqlite3* db, Role role, const Tuning& tuning);

}  // namespace gantry::data::sqlite

// store/sqlite/guard.hpp: the walls around a connection, so that no text that reaches it can write,
// leave the file, or read the database's own tables.
#pragma once

#include <sqlite3.h>

#include <cstddef>

#include <gantry/status.hpp>

namespace gantry::data::sqlite {

// What a connection is for. `catalog` connections may read sqlite_schema, sqlite_stat1 and the
// describing pragmas; they run our own fixed statements only. `rows` connections may not.
enum class Role { rows, catalog };

// Bytes of one value that a statement may read. A larger one, which no answer could hold, ends the
// statement with GANTRY_TOO_BIG before SQLite has read it. The size of a larger BLOB can be asked.
inline constexpr std::size_t kMostValueBytes = 64u << 20;

struct Tuning {
  int cache_kib = 16 * 1024;
  // 0: no mapping. A mapped file that another program cuts short ends this process with SIGBUS,
  // which is why it is not the default.
  sqlite3_int64 mmap_bytes = 0;
};

// Runs the set-up pragmas, then puts up limits and the authorizer. Nothing may be run before.
Status guard_connection(sqlite3* db, Role role, const Tuning& tuning);

}  // namespace gantry::data::sqlite

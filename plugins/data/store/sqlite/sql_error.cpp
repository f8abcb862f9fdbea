#include "store/sqlite/sql_error.hpp"

#include "store/store.hpp"

namespace gantry::data::sqlite {
namespace {

Status busy(const std::string& what) {
  return {GANTRY_BUSY, what + " is locked by another program that is writing. Try again."};
}

}  // namespace

Status open_error(int code, const std::string& path, const std::string& detail) {
  switch (code) {
    case SQLITE_READONLY_ROLLBACK:
      return Status::failed(path + " has an unfinished transaction of a program that crashed (" +
                            path +
                            "-journal). Open it once with a program that may write, such as "
                            "sqlite3, then try again.");
    case SQLITE_READONLY_RECOVERY:
    case SQLITE_READONLY_CANTINIT:
    case SQLITE_READONLY_CANTLOCK:
    case SQLITE_READONLY_DIRECTORY:
    case SQLITE_CANTOPEN:
      return Status::failed(path + " is in WAL mode with changes in " + path +
                            "-wal that cannot be read without writing beside it. Make the "
                            "directory writable, or run PRAGMA wal_checkpoint(TRUNCATE) on it.");
    default:
      break;
  }
  switch (code & 0xff) {
    case SQLITE_NOTADB:
      return Status::failed(path + " is not an SQLite database, or it is encrypted.");
    case SQLITE_CORRUPT:
      return Status::failed(path + " is damaged (" + detail +
                            "). Restore it, or try the .recover command of sqlite3.");
    case SQLITE_BUSY:
      return busy(path);
    case SQLITE_READONLY:
      return Status::failed(path + " cannot be written; it, or its folder, is read-only here");
    default:
      return Status::failed(path + " cannot be opened: " + detail + ".");
  }
}

Status statement_error(int code, const std::string& detail) {
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return busy("The database");
    case SQLITE_NOMEM:
      return Status::failed("The database ran out of memory.");
    case SQLITE_AUTH:
      return Status::denied("The statement is not allowed: " + detail + ".");
    case SQLITE_TOOBIG:
      return {GANTRY_TOO_BIG, "A stored value that this needs is larger than " +
                                  std::to_string(kMostValueBytes >> 20) +
                                  " MiB, or the statement is too large. Leave its field out."};
    case SQLITE_CORRUPT:
      return Status::failed("The database is damaged: " + detail + ".");
    // The matcher's message about the caller's constraint.
    case SQLITE_CONSTRAINT:
      return Status::invalid(detail);
    default:
      return Status::failed("The database refused the statement: " + detail + ".");
  }
}

}  // namespace gantry::data::sqlite

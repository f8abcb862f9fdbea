#include "tools/gantry/import/database.hpp"

#include <thread>

namespace gantry::cli::importing {

Status write_error(int code, const std::string& path, const std::string& detail) {
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {GANTRY_BUSY, path +
                               " is locked by another program; try again when it is done, or "
                               "wait longer with --wait SECONDS"};
    case SQLITE_INTERRUPT:
      return {GANTRY_CANCELLED, "stopped"};
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return Status::failed(path + " cannot be written; it, or its folder, is read-only here");
    case SQLITE_CANTOPEN:
      return Status::failed(path + " cannot be opened for writing: " + detail);
    case SQLITE_FULL:
      return Status::failed("the disk of " + path + " is full");
    case SQLITE_IOERR:
      return Status::failed("the disk of " + path + " failed: " + detail);
    case SQLITE_NOTADB:
      return Status::failed(path + " is not an SQLite database, or it is encrypted");
    case SQLITE_CORRUPT:
      return Status::failed(path + " is damaged: " + detail);
    case SQLITE_NOMEM:
      return Status::failed("there is not enough memory");
    default:
      return Status::failed(path + ": " + detail);
  }
}

Result<std::unique_ptr<Database>> Database::open(const std::string& path, Options options) {
  std::unique_ptr<Database> database(new Database(path, std::move(options)));
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
                    (database->options_.create ? SQLITE_OPEN_CREATE : 0);
  const int code = sqlite3_open_v2(path.c_str(), &database->db_, flags, nullptr);
  if (code != SQLITE_OK) return database->error(code);
  sqlite3_busy_handler(database->db_, on_busy, database.get());
  sqlite3_progress_handler(database->db_, 100'000, on_progress, database.get());
  if (Status status = database->exec("PRAGMA cache_size=-131072"); !status) return status;
  return database;
}

Database::~Database() { sqlite3_close_v2(db_); }

Status Database::exec(const std::string& sql) {
  const int code = sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr);
  return code == SQLITE_OK ? Status() : error(code);
}

Status Database::error(int code) const {
  return write_error(code, path_, db_ ? sqlite3_errmsg(db_) : sqlite3_errstr(code));
}

int Database::on_busy(void* self, int attempts) {
  auto& database = *static_cast<Database*>(self);
  const auto now = std::chrono::steady_clock::now();
  if (attempts == 0) database.busy_since_ = now;
  if (database.options_.stopped() || now - database.busy_since_ >= database.options_.wait) return 0;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return 1;
}

int Database::on_progress(void* self) {
  return static_cast<Database*>(self)->options_.stopped() ? 1 : 0;
}

}  // namespace gantry::cli::importing

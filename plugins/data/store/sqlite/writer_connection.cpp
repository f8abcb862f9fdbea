#include "store/sqlite/writer_connection.hpp"

#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace gantry::data::sqlite {
namespace {

DataError write_error_of(std::string_view code, std::string message) {
  return {std::string(code), std::move(message), {}, {}, {}, {}};
}

std::string write_problem(int code, const std::string& path, const std::string& detail) {
  switch (code & 0xff) {
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return path + " cannot be written; it, or its folder, is read-only here";
    case SQLITE_CANTOPEN:
      return path + " cannot be opened for writing: " + detail;
    case SQLITE_FULL:
      return "the disk of " + path + " is full";
    case SQLITE_IOERR:
      return "the disk of " + path + " failed: " + detail;
    case SQLITE_NOTADB:
      return path + " is not an SQLite database, or it is encrypted";
    case SQLITE_CORRUPT:
      return path + " is damaged: " + detail;
    case SQLITE_NOMEM:
      return "there is not enough memory";
    default:
      return path + ": " + detail;
  }
}

}  // namespace

DataError write_error(int code, const std::string& path, const std::string& detail) {
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return write_error_of(error_code::kTimeout,
                            path + " is locked by another program; try again when it is done");
    case SQLITE_INTERRUPT:
      return write_error_of(error_code::kCancelled, "stopped");
    default:
      return write_error_of(error_code::kStoreError, write_problem(code, path, detail));
  }
}

std::string column_text(sqlite3_stmt* statement, int column) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
  return text == nullptr ? std::string() : std::string(text);
}

Outcome<std::unique_ptr<WriterConnection>> WriterConnection::open(const std::string& path,
                                                                  WriterOptions options) {
  std::unique_ptr<WriterConnection> made(new WriterConnection(path, std::move(options)));
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
                    (made->options_.create ? SQLITE_OPEN_CREATE : 0);
  std::error_code ignored;
  made->is_new_ = !std::filesystem::exists(path, ignored);
  const int code = sqlite3_open_v2(path.c_str(), &made->db_, flags, nullptr);
  if (code == SQLITE_CANTOPEN && made->db_ != nullptr) {
    return write_error(code, path, std::strerror(sqlite3_system_errno(made->db_)));
  }
  if (code != SQLITE_OK) return made->error(code);
  sqlite3_busy_handler(made->db_, on_busy, made.get());
  sqlite3_progress_handler(made->db_, 100'000, on_progress, made.get());
  // The first read rolls back what a crashed program left.
  auto error = made->run("PRAGMA cache_size=-131072; SELECT count(*) FROM sqlite_schema");
  if (error) return *std::move(error);
  return made;
}

WriterConnection::~WriterConnection() {
  // With symbolic links resolved.
  const char* const name = db_ ? sqlite3_db_filename(db_, "main") : nullptr;
  const std::string file = name ? name : "";
  sqlite3_close_v2(db_);
  if (!removes_file_ || file.empty()) return;
  // On a full disk the rollback may have failed. A journal that stays would be applied to the next
  // database of this name.
  std::error_code ignored;
  for (const char* suffix : {"", "-journal", "-wal", "-shm"}) {
    std::filesystem::remove(file + suffix, ignored);
  }
}

// Another program may have filled the new file before this one got the lock.
std::optional<DataError> WriterConnection::start() {
  if (auto error = run("BEGIN IMMEDIATE")) return error;
  if (!is_new_) return std::nullopt;
  const auto classes = list("SELECT 1 FROM sqlite_schema", "");
  if (!classes) return classes.error();
  removes_file_ = classes->empty();
  return std::nullopt;
}

std::optional<DataError> WriterConnection::commit() {
  auto error = run("COMMIT");
  if (!error) is_new_ = removes_file_ = false;
  return error;
}

std::optional<DataError> WriterConnection::run(const std::string& sql) {
  const int code = sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr);
  return code == SQLITE_OK ? std::nullopt : std::optional(error(code));
}

Outcome<WriterStatement> WriterConnection::prepare(const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(db_, sql.c_str(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return error(code);
  return WriterStatement(statement);
}

Outcome<std::vector<std::string>> WriterConnection::list(const std::string& sql,
                                                         const std::string& text) {
  auto statement = prepare(sql);
  if (!statement) return statement.error();
  sqlite3_stmt* const raw = statement->get();
  sqlite3_bind_text(raw, 1, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
  std::vector<std::string> values;
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(raw)) == SQLITE_ROW) values.push_back(column_text(raw, 0));
  if (code != SQLITE_DONE) return error(code);
  return values;
}

DataError WriterConnection::error(int code) const {
  if ((code & 0xff) == SQLITE_BUSY && is_stopped()) code = SQLITE_INTERRUPT;
  return write_error(code, path_, db_ ? sqlite3_errmsg(db_) : sqlite3_errstr(code));
}

int WriterConnection::on_busy(void* self, int attempts) {
  auto& connection = *static_cast<WriterConnection*>(self);
  const auto now = std::chrono::steady_clock::now();
  if (attempts == 0) connection.busy_since_ = now;
  const bool is_over = now - connection.busy_since_ >= connection.options_.wait;
  if (connection.is_stopped() || is_over) return 0;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return 1;
}

int WriterConnection::on_progress(void* self) {
  return static_cast<WriterConnection*>(self)->is_stopped() ? 1 : 0;
}

}  // namespace gantry::data::sqlite

#include "store/sqlite/connection.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "store/sqlite/match_function.hpp"
#include "store/sqlite/sql_error.hpp"
#include "store/sqlite/text_functions.hpp"
#include "values/ascii.hpp"

namespace gantry::data::sqlite {
namespace {

constexpr int kProgressOps = 1000;
constexpr int kCallerProgressOps = 100;  // each may make a value of kMostCallerValueBytes
constexpr std::chrono::seconds kBusyLimit{5};

// file:…?mode=ro, with every byte escaped that has a meaning in a URI.
std::string uri_of(const std::string& path, const FileState& files) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string uri = "file:";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = is_alphanumeric(c) || c == '/' || c == '.' || c == '-' || c == '_';
    if (plain) {
      uri += c;
    } else {
      uri.append({'%', kHex[byte >> 4], kHex[byte & 15]});
    }
  }
  uri += "?mode=ro";
  if (files.immutable) uri += "&immutable=1";
  if (files.frozen) uri += "&frozen=1";
  return uri;
}

// Of "JSON path error near 'x'" the words alone.
std::string without_values(std::string message) {
  for (const std::string_view begin : {" near ", ": '", " '", " \""}) {
    message.resize(std::min(message.size(), message.find(begin)));
  }
  return message;
}

// The budget's error if the budget ended it. A locked file is named as such, also at its end.
Status opening_error(int code, const Budget& budget, const std::string& path, sqlite3* db) {
  if ((code & 0xff) == SQLITE_INTERRUPT) {
    if (auto status = budget.check(); !status) return status;
  }
  return open_error(code, path, sqlite3_errmsg(db));
}

}  // namespace

Result<std::unique_ptr<Connection>> Connection::open(const std::string& path,
                                                     const FileState& files, Role role,
                                                     const Tuning& tuning, const Budget& budget,
                                                     const ReadVfs& vfs) {
  std::unique_ptr<Connection> connection(new Connection(path, files));
  connection->begin(budget);
  if (auto status = connection->open_file(role, tuning, vfs.name()); !status) return status;
  return connection;
}

Result<std::unique_ptr<Connection>> Connection::open_for_edits(const std::string& path,
                                                               const EditRights& rights,
                                                               const Budget& budget) {
  std::unique_ptr<Connection> connection(new Connection(path, {}));
  connection->begin(budget);
  connection->edit_guard_ = std::make_unique<EditGuard>(rights);
  constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  if (auto status = connection->open_main(path, kFlags, nullptr); !status) return status;
  // SQLite opens a file that cannot be written for reading, and would stay at that when it can be.
  if (sqlite3_db_readonly(connection->db_, "main") != 0) {
    return open_error(SQLITE_READONLY, path, {});
  }
  if (auto status = connection->register_functions(); !status) return status;
  if (auto status = connection->edit_guard_->apply(connection->db_); !status) return status;
  return connection;
}

Status Connection::open_main(const std::string& uri, int flags, const char* vfs) {
  int rc = sqlite3_open_v2(uri.c_str(), &db_, flags, vfs);
  if (!db_) return Status::failed("SQLite ran out of memory.");
  sqlite3_busy_handler(db_, on_busy, this);
  sqlite3_progress_handler(db_, kProgressOps, on_progress, this);
  if (rc == SQLITE_OK) rc = run("SELECT count(*) FROM sqlite_schema");
  return rc == SQLITE_OK ? Status::ok() : opening_error(rc, budget_, path_, db_);
}

Status Connection::register_functions() {
  match_guard_ = {on_match, this, 0};
  int rc = register_match_function(db_, &match_guard_);
  if (rc == SQLITE_OK) rc = functions_.register_with(db_);
  if (rc == SQLITE_OK) rc = register_text_functions(db_);
  return rc == SQLITE_OK ? Status::ok() : opening_error(rc, budget_, path_, db_);
}

Status Connection::open_file(Role role, const Tuning& tuning, const char* vfs) {
  cache_kib_ = tuning.cache_kib;
  constexpr int kFlags =
      SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE;
  if (auto status = open_main(uri_of(path_, files_), kFlags, vfs); !status) return status;
  if (auto status = register_functions(); !status) return status;
  return guard_connection(db_, role, tuning, &caller_text_);
}

Connection::~Connection() {
  cache_.clear();
  sqlite3_close_v2(db_);
}

void Connection::begin(Budget budget) {
  budget_ = std::move(budget);
  busy_since_ = {};
}

void Connection::end() {
  budget_ = {};
  if (!std::exchange(has_caller_text_, false)) return;
  unlimit_caller_values(db_);
  sqlite3_progress_handler(db_, kProgressOps, on_progress, this);
}

int Connection::on_progress(void* self) {
  auto* connection = static_cast<Connection*>(self);
  return connection->budget_.spent() || connection->takes_too_much() ? 1 : 0;
}

// SQLite counts the memory of the process, so statements that run beside this one count too.
bool Connection::takes_too_much() {
  if (!has_caller_text_) return false;
  const auto most = memory_at_start_ + static_cast<std::int64_t>(budget_.bytes);
  took_too_much_ = took_too_much_ || sqlite3_memory_used() > most;
  return took_too_much_;
}

bool Connection::on_match(void* self) { return static_cast<Connection*>(self)->budget_.spent(); }

// Waits longer after each attempt; gives up when the budget is spent or after kBusyLimit.
int Connection::on_busy(void* self, int attempts) {
  auto* connection = static_cast<Connection*>(self);
  const auto now = std::chrono::steady_clock::now();
  if (attempts == 0) connection->busy_since_ = now;
  if (connection->budget_.spent() || now - connection->busy_since_ > kBusyLimit) return 0;
  // A commit of our own takes less than a millisecond, other programs keep a lock for longer.
  constexpr std::chrono::microseconds kFirst{100}, kLongest{20'000};
  constexpr int kTriesOfOneLength = 4, kDoublings = 8;
  const auto pause = kFirst * (1 << std::min(attempts / kTriesOfOneLength, kDoublings));
  std::this_thread::sleep_for(std::min(pause, kLongest));
  return 1;
}

Result<Statement> Connection::find_or_compile(std::string_view sql) {
  if (auto* cached = cache_.take(sql)) return Statement(this, cached);
  sqlite3_stmt* stmt = nullptr;
  const char* rest = nullptr;
  const int rc = sqlite3_prepare_v3(db_, sql.data(), static_cast<int>(sql.size()),
                                    SQLITE_PREPARE_PERSISTENT, &stmt, &rest);
  if (rc != SQLITE_OK) return step_error(rc);
  const bool whole = rest == sql.data() + sql.size();
  const bool may_run = stmt && (edit_guard_ || sqlite3_stmt_readonly(stmt));
  if (!whole || !may_run) {
    sqlite3_finalize(stmt);
    return Status::denied("Only a single reading statement can be run.");
  }
  return Statement(this, cache_.add(sql, stmt));
}

Result<Statement> Connection::prepare(std::string_view sql) { return find_or_compile(sql); }

Result<Statement> Connection::prepare(const Fragment& fragment) {
  auto statement = find_or_compile(fragment.text);
  if (!statement) return statement;
  if (auto status = statement->bind(fragment.binds); !status) return status;
  return statement;
}

Result<Statement> Connection::prepare_text(const Fragment& statement) {
  caller_text_.compiles = CallerText::Now::text;
  caller_text_.has_refused = false;
  auto prepared = prepare(statement);
  caller_text_.compiles = CallerText::Now::none;
  return prepared;
}

// Not from the cache: the guard has to see what it reads.
Status Connection::note_body(std::string_view sql) {
  caller_text_.compiles = CallerText::Now::bodies;
  sqlite3_stmt* stmt = nullptr;
  const int rc =
      sqlite3_prepare_v3(db_, sql.data(), static_cast<int>(sql.size()), 0, &stmt, nullptr);
  caller_text_.compiles = CallerText::Now::none;
  sqlite3_finalize(stmt);
  return rc == SQLITE_OK ? Status::ok() : step_error(rc);
}

// The classes' sub-queries are compiled alone only where they need it: a virtual table runs
// statements of its own when a connection first names it, and views are not yet known.
Result<Statement> Connection::prepare_for_caller(const CallerStatement& statement) {
  has_caller_text_ = true;
  took_too_much_ = false;
  memory_at_start_ = sqlite3_memory_used();
  sqlite3_progress_handler(db_, kCallerProgressOps, on_progress, this);
  if (!statement.is_simple) limit_caller_values(db_);
  functions_.begin_statement();
  auto prepared = prepare_text(statement.sql);
  if (prepared || !caller_text_.has_refused) return prepared;
  for (const Fragment& body : statement.bodies) {
    if (auto status = note_body(body.text); !status) return status;
  }
  return prepare_text(statement.sql);
}

Status Connection::step_error(int code) const {
  const int primary = code & 0xff;
  if (primary == SQLITE_INTERRUPT && budget_.check() && took_too_much_) {
    return Status::invalid(
        "The statement takes more memory than one may. Narrow it with WHERE, or aggregate in the "
        "database.");
  }
  if (primary == SQLITE_INTERRUPT || primary == SQLITE_BUSY) {
    if (auto status = budget_.check(); !status) return status;
  }
  if (has_caller_text_ && primary == SQLITE_MISMATCH) {
    return Status::invalid("The statement failed: LIMIT and OFFSET take whole numbers.");
  }
  if (has_caller_text_ && primary == SQLITE_ERROR) {
    return Status::invalid("The statement failed: " + without_values(sqlite3_errmsg(db_)) + ".");
  }
  if (has_caller_text_ && primary == SQLITE_TOOBIG) {
    const auto most = static_cast<unsigned>(sqlite3_limit(db_, SQLITE_LIMIT_LENGTH, -1));
    return Status::invalid("The statement reads or makes a value of more than " +
                           std::to_string(most >> 20U) +
                           " MiB. Leave it out, or take a part with substr().");
  }
  const bool is_torn = primary == SQLITE_CORRUPT || primary == SQLITE_IOERR;
  if (is_torn && files_.is_fixed()) {
    if (auto status = confirm_unchanged(); !status) return status;
  }
  return statement_error(code, sqlite3_errmsg(db_));
}

Status Connection::confirm_unchanged() const {
  if (!files_.is_fixed()) return Status::ok();
  const auto now = inspect_files(DatabasePaths(path_));
  if (!now) return now.status();
  const bool is_same_wal =
      now->wal_size == files_.wal_size && now->wal_modified_ns == files_.wal_modified_ns;
  const bool is_same = now->size == files_.size && now->modified_ns == files_.modified_ns &&
                       (files_.immutable || is_same_wal);
  if (now->inode == files_.inode && !is_same) {
    return {GANTRY_BUSY, "The database changed while it was being read. Try again."};
  }
  return Status::ok();
}

void Connection::release_memory() {
  cache_.clear();
  sqlite3_db_release_memory(db_);
}

}  // namespace gantry::data::sqlite

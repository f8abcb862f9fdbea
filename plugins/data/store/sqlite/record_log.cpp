// A RecordLog in a SQLite file: a crash of the process leaves it whole, and pages of removed
// records are overwritten and used again.
#include "store/record_log.hpp"
#include "values/system_time.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <utility>

namespace gantry::data {
namespace {

constexpr int kWaitMs = 5000;
// What a record takes beside its bytes.
constexpr std::int64_t kOverhead = 128;

constexpr const char* kSchema = R"(
  PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; PRAGMA journal_size_limit=4194304;
  CREATE TABLE IF NOT EXISTS records(number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE, made_ms INTEGER NOT NULL, bytes INTEGER NOT NULL,
    pending INTEGER NOT NULL, replaces TEXT, head BLOB NOT NULL, body BLOB NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS records_pending ON records(number) WHERE pending;
  CREATE INDEX IF NOT EXISTS records_replaces ON records(replaces) WHERE replaces IS NOT NULL;
  CREATE TABLE IF NOT EXISTS total(bytes INTEGER NOT NULL) STRICT;
  INSERT INTO total SELECT 0 WHERE NOT EXISTS(SELECT 1 FROM total);)";

constexpr const char* kEntry = "SELECT number,id,head,pending FROM records ";

std::string text_in(sqlite3_stmt* statement, int column) {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement, column));
  return bytes == nullptr
             ? std::string()
             : std::string(bytes,
                           static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
}

bool is_damage(int code) {
  return (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB;
}

class SqliteRecordLog final : public RecordLog {
 public:
  SqliteRecordLog(std::string path, RecordLimits limits)
      : path_(std::move(path)), limits_(limits) {}
  ~SqliteRecordLog() override {
    for (auto& [sql, statement] : statements_) sqlite3_finalize(statement);
    sqlite3_close_v2(db_);
  }

  // SQLite's code.
  int open_file() {
    if (!make_file()) return SQLITE_CANTOPEN;
    int code = sqlite3_open_v2(path_.c_str(), &db_,
                               SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
                               nullptr);
    if (code == SQLITE_OK) sqlite3_busy_timeout(db_, kWaitMs);
    if (code == SQLITE_OK) code = run(kSchema);
    if (code == SQLITE_OK) code = check();
    if (code != SQLITE_OK) problem_ = sqlite3_errmsg(db_);
    return code;
  }
  Status failed() const { return Status::failed(name() + " cannot be used: " + problem_); }

  Status append(const Record& record) override {
    const std::lock_guard lock(mutex_);
    const auto bytes =
        static_cast<std::int64_t>(record.head.size() + record.body.size()) + kOverhead;
    const auto most = static_cast<std::int64_t>(limits_.bytes);
    if (bytes > most) return {GANTRY_TOO_BIG, "the record is larger than all may be together"};
    if (run("BEGIN IMMEDIATE") != SQLITE_OK) return failure();
    const bool done = remove_old() && make_room(most - bytes) &&
                      step(
                          "INSERT INTO records(id,made_ms,bytes,pending,replaces,head,body) "
                          "VALUES(?,?,?,1,?,?,?)",
                          [&](sqlite3_stmt* statement) {
                            bind_text(statement, 1, record.id);
                            sqlite3_bind_int64(statement, 2, system_ms());
                            sqlite3_bind_int64(statement, 3, bytes);
                            if (!record.replaces.empty()) bind_text(statement, 4, record.replaces);
                            bind_bytes(statement, 5, record.head);
                            bind_bytes(statement, 6, record.body);
                          }) &&
                      add_to_total(bytes) && run("COMMIT") == SQLITE_OK;
    if (done) return {};
    Status status = failure();
    run("ROLLBACK");
    return status;
  }

  Status settle(const std::string& id, bool is_kept) override {
    const std::lock_guard lock(mutex_);
    const auto bind = [&](sqlite3_stmt* statement) { bind_text(statement, 1, id); };
    if (is_kept) {
      return step("UPDATE records SET pending=0 WHERE id=?", bind) ? Status() : failure();
    }
    if (run("BEGIN IMMEDIATE") != SQLITE_OK) return failure();
    const bool done =
        step("UPDATE total SET bytes=bytes-ifnull((SELECT bytes FROM records WHERE id=?),0)",
             bind) &&
        step("DELETE FROM records WHERE id=?", bind) && run("COMMIT") == SQLITE_OK;
    if (done) return {};
    Status status = failure();
    run("ROLLBACK");
    return status;
  }

  Result<std::vector<Entry>> newest(std::int64_t before, std::size_t most) override {
    const std::lock_guard lock(mutex_);
    return entries("WHERE number<? AND made_ms>=? ORDER BY number DESC LIMIT ?",
                   [&](sqlite3_stmt* statement) {
                     sqlite3_bind_int64(statement, 1, before);
                     sqlite3_bind_int64(statement, 2, oldest());
                     sqlite3_bind_int64(statement, 3, static_cast<std::int64_t>(most));
                   });
  }

  Result<std::vector<Entry>> pending() override {
    const std::lock_guard lock(mutex_);
    return entries("WHERE pending ORDER BY number", [](sqlite3_stmt*) {});
  }

  Result<std::optional<Entry>> find(const std::string& id) override {
    const std::lock_guard lock(mutex_);
    auto found = entries("WHERE id=? AND made_ms>=?", [&](sqlite3_stmt* statement) {
      bind_text(statement, 1, id);
      sqlite3_bind_int64(statement, 2, oldest());
    });
    if (!found) return found.status();
    return found->empty() ? std::optional<Entry>() : std::move(found->front());
  }

  Result<std::string> body(const std::string& id) override {
    const std::lock_guard lock(mutex_);
    return text("SELECT body FROM records WHERE id=?", id);
  }

  Result<std::string> replacement(const std::string& id) override {
    const std::lock_guard lock(mutex_);
    return text(
        "SELECT id FROM records WHERE replaces=? AND NOT pending ORDER BY number DESC LIMIT 1", id);
  }

  bool is_there() const override {
    struct stat found {};
    return ::stat(path_.c_str(), &found) == 0 && found.st_ino == inode_;
  }

 private:
  // Before SQLite does, which would give it another mode. An existing file is not opened here: to
  // close it would drop the locks that this process has on it.
  bool make_file() {
    struct stat found {};
    if (::lstat(path_.c_str(), &found) != 0) {
      const int fd = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
      if (fd < 0 && errno != EEXIST) {
        problem_ = std::strerror(errno);
        return false;
      }
      if (fd >= 0) ::close(fd);
    }
    if (::lstat(path_.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) {
      problem_ = "it is no file";
      return false;
    }
    inode_ = found.st_ino;
    return true;
  }

  int check() {
    bool is_whole = true;
    const auto look = [](void* whole, int, char** texts, char**) {
      if (texts[0] != nullptr && std::strcmp(texts[0], "ok") != 0)
        *static_cast<bool*>(whole) = false;
      return 0;
    };
    const int code = sqlite3_exec(db_, "PRAGMA quick_check(1)", look, &is_whole, nullptr);
    return code == SQLITE_OK && !is_whole ? SQLITE_CORRUPT : code;
  }

  // Without its directory, which callers do not see.
  std::string name() const { return path_.substr(path_.rfind('/') + 1); }
  int run(const char* sql) { return sqlite3_exec(db_, sql, nullptr, nullptr, nullptr); }
  Status failure() const { return Status::failed(name() + ": " + sqlite3_errmsg(db_)); }
  std::int64_t oldest() const { return system_ms() - limits_.age.count(); }

  static void bind_text(sqlite3_stmt* statement, int at, const std::string& text) {
    sqlite3_bind_text(statement, at, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
  }
  static void bind_bytes(sqlite3_stmt* statement, int at, std::string_view bytes) {
    sqlite3_bind_blob64(statement, at, bytes.data(), bytes.size(), SQLITE_STATIC);
  }

  // Compiled once; null: an error. `sql` is a constant of this file.
  sqlite3_stmt* statement(const std::string& sql) {
    for (const auto& [known, statement] : statements_) {
      if (known == sql) return statement;
    }
    sqlite3_stmt* made = nullptr;
    sqlite3_prepare_v3(db_, sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &made, nullptr);
    if (made != nullptr) statements_.emplace_back(sql, made);
    return made;
  }

  // Runs to the end; `row` is called for each row. False: an error.
  bool each(const std::string& sql, auto&& bind, auto&& row) {
    sqlite3_stmt* const run = statement(sql);
    if (run == nullptr) return false;
    bind(run);
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(run)) == SQLITE_ROW) row(run);
    sqlite3_reset(run);
    sqlite3_clear_bindings(run);
    return code == SQLITE_DONE;
  }
  bool step(const std::string& sql, auto&& bind) {
    return each(sql, bind, [](sqlite3_stmt*) {});
  }

  Result<std::vector<Entry>> entries(const std::string& condition, auto&& bind) {
    std::vector<Entry> found;
    const bool done = each(kEntry + condition, bind, [&](sqlite3_stmt* row) {
      found.push_back({sqlite3_column_int64(row, 0), text_in(row, 1), text_in(row, 2),
                       sqlite3_column_int(row, 3) != 0});
    });
    return done ? Result<std::vector<Entry>>(std::move(found)) : failure();
  }

  // The first column of the first row; empty: there is none.
  Result<std::string> text(const std::string& sql, const std::string& id) {
    std::optional<std::string> found;
    const bool done = each(
        sql, [&](sqlite3_stmt* statement) { bind_text(statement, 1, id); },
        [&](sqlite3_stmt* row) {
          if (!found) found = text_in(row, 0);
        });
    return done ? Result<std::string>(found.value_or("")) : failure();
  }

  bool add_to_total(std::int64_t bytes) {
    return step("UPDATE total SET bytes=bytes+?",
                [&](sqlite3_stmt* statement) { sqlite3_bind_int64(statement, 1, bytes); });
  }

  bool remove_up_to(std::int64_t number, std::int64_t bytes) {
    return step("DELETE FROM records WHERE number<=?",
                [&](sqlite3_stmt* statement) { sqlite3_bind_int64(statement, 1, number); }) &&
           add_to_total(-bytes);
  }

  bool remove_old() {
    std::int64_t number = 0, bytes = 0;
    const auto bind = [&](sqlite3_stmt* statement) { sqlite3_bind_int64(statement, 1, oldest()); };
    // Records are in the order of time, but for a clock that was set back.
    if (!each("SELECT max(number), sum(bytes) FROM records WHERE number < ifnull((SELECT number"
              " FROM records WHERE made_ms>=? ORDER BY number LIMIT 1), 9223372036854775807)",
              bind, [&](sqlite3_stmt* row) {
                number = sqlite3_column_int64(row, 0);
                bytes = sqlite3_column_int64(row, 1);
              })) {
      return false;
    }
    return number == 0 || remove_up_to(number, bytes);
  }

  // Removes the oldest until all take at most `room`.
  bool make_room(std::int64_t room) {
    std::int64_t total = 0, number = 0, freed = 0;
    if (!each(
            "SELECT bytes FROM total", [](sqlite3_stmt*) {},
            [&](sqlite3_stmt* row) { total = sqlite3_column_int64(row, 0); })) {
      return false;
    }
    while (total - freed > room) {
      const std::int64_t last = number;
      const bool done = each(
          "SELECT number, bytes FROM records WHERE number>? ORDER BY number LIMIT 1",
          [&](sqlite3_stmt* statement) { sqlite3_bind_int64(statement, 1, last); },
          [&](sqlite3_stmt* row) {
            number = sqlite3_column_int64(row, 0);
            freed += sqlite3_column_int64(row, 1);
          });
      if (!done) return false;
      if (number == last) break;
    }
    return number == 0 || remove_up_to(number, freed);
  }

  const std::string path_;
  const RecordLimits limits_;
  std::mutex mutex_;  // of all below
  sqlite3* db_ = nullptr;
  std::vector<std::pair<std::string, sqlite3_stmt*>> statements_;
  std::uint64_t inode_ = 0;
  std::string problem_;
};

// Its journal would be applied to the next file of this name.
Status set_aside(const std::string& path) {
  for (const char* suffix : {"-wal", "-shm"}) ::unlink((path + suffix).c_str());
  if (std::rename(path.c_str(), (path + ".damaged").c_str()) == 0) return {};
  return Status::failed(path + " is damaged and cannot be set aside: " + std::strerror(errno));
}

}  // namespace

Result<std::unique_ptr<RecordLog>> RecordLog::open(
    const std::string& path, RecordLimits limits,
    const std::function<void(const std::string&)>& said) {
  auto log = std::make_unique<SqliteRecordLog>(path, limits);
  int code = log->open_file();
  if (is_damage(code)) {
    log.reset();
    if (Status aside = set_aside(path); !aside) return aside;
    said(path + " is damaged; it is now " + path + ".damaged, and a new one is begun");
    log = std::make_unique<SqliteRecordLog>(path, limits);
    code = log->open_file();
  }
  if (code != SQLITE_OK) return log->failed();
  return std::unique_ptr<RecordLog>(std::move(log));
}

}  // namespace gantry::data

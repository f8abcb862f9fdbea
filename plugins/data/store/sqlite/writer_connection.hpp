// store/sqlite/writer_connection.hpp: the connection of a Writer, and its errors as sentences.
//
// One thread. Its statements must be destroyed before it.
#pragma once

#include <sqlite3.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "errors/error.hpp"
#include "store/writer.hpp"

namespace gantry::data::sqlite {

struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using WriterStatement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

class WriterConnection {
 public:
  static Outcome<std::unique_ptr<WriterConnection>> open(const std::string& path,
                                                         WriterOptions options);
  ~WriterConnection();
  WriterConnection(const WriterConnection&) = delete;
  WriterConnection& operator=(const WriterConnection&) = delete;

  [[nodiscard]] std::optional<DataError> start();
  [[nodiscard]] std::optional<DataError> commit();
  [[nodiscard]] std::optional<DataError> run(const std::string& sql);
  // A statement that runs many times.
  Outcome<WriterStatement> prepare(const std::string& sql);
  // The first column of every row; `text`: the only parameter, if there is one.
  Outcome<std::vector<std::string>> list(const std::string& sql, const std::string& text);

  RowId last_row() const { return sqlite3_last_insert_rowid(db_); }
  bool has_changed() const { return sqlite3_changes(db_) > 0; }  // the last statement, a row
  bool in_transaction() const { return sqlite3_get_autocommit(db_) == 0; }
  std::string detail() const { return sqlite3_errmsg(db_); }  // of the last call
  // Why the last call failed with `code`.
  DataError error(int code) const;

 private:
  WriterConnection(std::string path, WriterOptions options)
      : path_(std::move(path)), options_(std::move(options)) {}
  bool is_stopped() const { return options_.stopped && options_.stopped(); }
  static int on_busy(void* self, int attempts);
  static int on_progress(void* self);

  std::string path_;
  WriterOptions options_;
  bool is_new_ = false;        // there was no file
  bool removes_file_ = false;  // at the end: it is new, and nothing was committed
  sqlite3* db_ = nullptr;
  std::chrono::steady_clock::time_point busy_since_;
};

// Empty for NULL.
std::string column_text(sqlite3_stmt* statement, int column);

// The error for an extended result code.
DataError write_error(int code, const std::string& path, const std::string& detail);

}  // namespace gantry::data::sqlite

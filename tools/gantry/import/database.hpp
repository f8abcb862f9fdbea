// tools/gantry/import/database.hpp: the one writing connection, and its errors as sentences.
//
// Waits for other programs' locks; readers of the same file go on meanwhile, except that without
// WAL they wait for the moment of the commit, or from when the changes outgrow the cache of
// 128 MiB. One thread.
#pragma once

#include <sqlite3.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include <gantry/result.hpp>

namespace gantry::cli::importing {

class Database {
 public:
  struct Options {
    bool create = false;
    std::chrono::milliseconds wait{30'000};                // for locks
    std::function<bool()> stopped = [] { return false; };  // asked while waiting and working
  };

  static Result<std::unique_ptr<Database>> open(const std::string& path, Options options);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  Status exec(const std::string& sql);
  sqlite3* raw() const { return db_; }
  // Why the last call failed with `code`.
  Status error(int code) const;

 private:
  Database(std::string path, Options options)
      : path_(std::move(path)), options_(std::move(options)) {}
  static int on_busy(void* self, int attempts);
  static int on_progress(void* self);

  std::string path_;
  Options options_;
  sqlite3* db_ = nullptr;
  std::chrono::steady_clock::time_point busy_since_;
};

// The sentence for an extended result code. GANTRY_BUSY for locks, GANTRY_CANCELLED when stopped,
// else GANTRY_FAILED.
Status write_error(int code, const std::string& path, const std::string& detail);

}  // namespace gantry::cli::importing

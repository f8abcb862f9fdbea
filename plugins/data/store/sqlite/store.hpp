// store/sqlite/store.hpp: one SQLite database, opened read-only.
//
// Any existing database file works without preparation; no file is created beside it. Thread-safe.
// A process opens one Store per file, because POSIX locks belong to the process (see
// file_state.hpp). Leases and catalogs may outlive the Store.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include <gantry/result.hpp>

#include "catalog/catalog.hpp"
#include "store/sqlite/pool.hpp"
#include "values/budget.hpp"

namespace gantry::data::model {
class Source;
}

namespace gantry::data::sqlite {

struct StoreOptions {
  std::size_t connections = 0;  // read connections; 0: twice the cores, at least 4
  Tuning tuning;
  std::shared_ptr<model::Source> model = {};  // used by this store only; null: none
};

class Store {
 public:
  // Opens PATH and reads its schema. Errors are sentences for the operator, the operator's fault:
  // GANTRY_NOT_FOUND no such file; GANTRY_INVALID_ARGUMENT a directory or out of reach;
  // GANTRY_FAILED not a database, encrypted, damaged, or needing a writer; GANTRY_BUSY locked; and
  // those of a model that does not fit.
  static Result<std::unique_ptr<Store>> open(const std::string& path, StoreOptions options = {});
  ~Store();

  // The catalog of the current schema: a few microseconds when nothing changed. Call it once per
  // request and keep the result; a request continues with its catalog when the schema changes.
  // Errors: those of open(), and the budget's while another request reads the schema.
  Result<CatalogPtr> catalog(const Budget& budget = {});

  // The catalog and counters. `commits` increases when anything may have been committed;
  // `generation` when connections had to be reopened, after which a failed read may succeed;
  // `version` when either of them or the catalog changed. Two results with the same version saw the
  // same rows and catalog.
  struct Now {
    CatalogPtr catalog;
    std::uint64_t commits = 0;
    std::uint64_t generation = 0;
    std::uint64_t version = 0;
  };
  Result<Now> now(const Budget& budget);
  // Like now(), for periodic polling: opens no connection after rest() while the files' times show
  // no commit. It may see a commit later than now() if the writer was suspended for seconds during
  // the commit.
  Result<Now> glance(const Budget& budget);
  // Call after a time without requests: closes idle connections that prevent a WAL database's
  // writers from cleaning up when they close.
  void rest();
  // `commits` of the last now() or glance(), without another look.
  std::uint64_t commits_seen() const { return commits_.load(std::memory_order_acquire); }

  // A connection that works under `budget`. Waits for a free one within the budget. Errors:
  // GANTRY_TIMED_OUT, GANTRY_CANCELLED, those of open().
  Result<Lease> lease(Budget budget);
  // The same for a request that has just called catalog() or now(): the files are not checked
  // again, so it reads that state or a later one.
  Result<Lease> lease_as_seen(Budget budget);

  const std::string& path() const { return pool_->path(); }

 private:
  Store(std::shared_ptr<Pool> pool, std::shared_ptr<model::Source> model)
      : pool_(std::move(pool)), model_(std::move(model)) {}
  Status lock(std::unique_lock<std::timed_mutex>& lock, const Budget& budget);
  Status watch(std::uint64_t generation);  // mutex_ held, as for all functions below
  Status follow(const FileSnapshot& look, const Budget& budget);
  Status follow_commits();
  Status refresh();
  void renew();
  Status rebuild(std::int64_t schema_version);
  Status take_classes(std::int64_t schema_version);

  std::shared_ptr<Pool> pool_;
  std::shared_ptr<model::Source> model_;  // may be null
  std::timed_mutex mutex_;
  std::unique_ptr<Connection> watch_;
  std::uint64_t generation_ = 0;
  std::uint64_t inode_ = 0;
  FileState files_;  // when data_version_ was read
  bool is_resting_ = false;
  std::int64_t data_version_ = -1;  // of watch_; -1: not read since it was opened
  std::string wal_index_;           // WAL index header when data_version_ was read, or earlier
  std::atomic<std::uint64_t> commits_{0};
  std::vector<ClassInfo> classes_;  // the database's own, before the model is applied
  CatalogPtr catalog_;
  Now latest_;
  bool rows_changed_ = false;  // rows changed after renewed_
  std::chrono::steady_clock::time_point renewed_;
};

}  // namespace gantry::data::sqlite

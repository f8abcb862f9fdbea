// store/sqlite/store.hpp: one SQLite database, opened so that nothing here can write it.
//
// Any existing file works as it is; nothing is created beside it. Thread-safe. A process opens one
// Store per file (POSIX locks belong to the process, see file_state.hpp). Leases and catalogs may
// outlive the Store.
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
  std::shared_ptr<model::Source> model = {};  // for this store alone; null: none
};

class Store {
 public:
  // Opens PATH and reads its schema. Errors are sentences for the operator, the operator's fault:
  // GANTRY_NOT_FOUND no such file; GANTRY_INVALID_ARGUMENT a directory or out of reach;
  // GANTRY_FAILED not a database, encrypted, damaged, or needing a writer; GANTRY_BUSY locked; and
  // those of a model that does not fit.
  static Result<std::unique_ptr<Store>> open(const std::string& path, StoreOptions options = {});
  ~Store();

  // The catalog of the schema as it is now: a few microseconds when nothing changed. Ask once per
  // request and keep it; the request goes on with its own when the schema changes meanwhile.
  // Errors: those of open(), and the budget's while another request reads the schema.
  Result<CatalogPtr> catalog(const Budget& budget = {});

  // The same, and numbers that have grown when anything may have been committed since, and when
  // connections had to be opened anew: what failed before may work now. `version` grows with any of
  // the three: looks that find the same one found the same rows and have the same catalog.
  struct Now {
    CatalogPtr catalog;
    std::uint64_t commits = 0;
    std::uint64_t generation = 0;
    std::uint64_t version = 0;
  };
  Result<Now> now(const Budget& budget);
  // The same for whoever looks again and again: opens no connection after a rest() as long as the
  // files' times tell of no commit. What a writer commits that was stopped for seconds in the
  // middle of it may be seen later than by now().
  Result<Now> glance(const Budget& budget);
  // Nothing was asked for some time: connections that keep a WAL database's writers from tidying up
  // when they close are closed, but for leased ones.
  void rest();
  // `commits` as the last of those looks found it, which costs none.
  std::uint64_t commits_seen() const { return commits_.load(std::memory_order_acquire); }

  // A connection that works under `budget`. Waits for a free one as long as that allows. Errors:
  // GANTRY_TIMED_OUT, GANTRY_CANCELLED, those of open().
  Result<Lease> lease(Budget budget);
  // The same for a request that has asked for the catalog just now: reads what the files were then,
  // or later.
  Result<Lease> lease_as_seen(Budget budget);

  const std::string& path() const { return pool_->path(); }

 private:
  Store(std::shared_ptr<Pool> pool, std::shared_ptr<model::Source> model)
      : pool_(std::move(pool)), model_(std::move(model)) {}
  Status lock(std::unique_lock<std::timed_mutex>& lock, const Budget& budget);
  Status watch(std::uint64_t generation);  // mutex_ held, as all below
  Status follow(const Look& look, const Budget& budget);
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
  std::string wal_index_;           // when data_version_ was read, or before
  std::atomic<std::uint64_t> commits_{0};
  std::vector<ClassInfo> classes_;  // the database's own, for a model to lie on
  CatalogPtr catalog_;
  Now latest_;
  bool rows_changed_ = false;  // since renewed_
  std::chrono::steady_clock::time_point renewed_;
};

}  // namespace gantry::data::sqlite

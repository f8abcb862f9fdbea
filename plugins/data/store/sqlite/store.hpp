// store/sqlite/store.hpp: one SQLite database, read by connections that
// cannot write.
//
// Any existing database file works without preparation; no file is created beside it, unless the
// options let an Editor write. Thread-safe.
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
#include "store/sqlite/editor.hpp"
#include "store/sqlite/pool.hpp"
#include "store/store.hpp"
#include "values/budget.hpp"

namespace gantry::data::sqlite {

// It has more than twelve members: the pool, and the state of the catalog, which one lock guards.
class Store final : public data::Store {
 public:
  // Opens PATH and reads its schema. Errors are sentences for the operator, the operator's fault:
  // GANTRY_NOT_FOUND no such file; GANTRY_INVALID_ARGUMENT a directory or out of reach;
  // GANTRY_FAILED not a database, encrypted, damaged, or needing a writer; GANTRY_BUSY locked; and
  // those of a model that does not fit.
  static Result<std::unique_ptr<Store>> open(const std::string& path, StoreOptions options = {});
  ~Store() override;

  Result<CatalogPtr> catalog(const Budget& budget = {}) override;
  Result<Now> now(const Budget& budget) override;
  Result<Now> recent(const Budget& budget) override;
  // It may see a commit later than now() if the writer was suspended for seconds during the commit.
  Result<Now> glance(const Budget& budget) override;
  Capabilities can() const override { return {editor_ ? editor_->rights() : EditRights{}}; }
  const Dialect& dialect() const override { return sqlite_dialect(); }
  // Closes idle connections that prevent a WAL database's writers from cleaning up when they close.
  void rest() override;
  std::uint64_t commits_seen() const override { return commits_.load(std::memory_order_acquire); }
  Result<LeasePtr> lease(Budget budget) override;
  Result<LeasePtr> lease_as_seen(Budget budget) override;
  Outcome<EditPtr> begin_edit(const Budget& budget) override;
  Result<StatementVerdict> judge(std::string_view sql, const ClassLookup& lookup) const override;
  std::string runnable(std::string_view sql) const override;
  const std::string& name() const override { return pool_->path(); }

 private:
  Store(std::shared_ptr<Pool> pool, StoreOptions options)
      : pool_(std::move(pool)),
        model_(std::move(options.model)),
        built_in_(std::move(options.built_in)) {
    if (options.rights.any()) editor_ = std::make_unique<Editor>(*this, pool_, options.rights);
  }
  CatalogPtr made_of(std::vector<ClassInfo> classes, std::int64_t schema_version) const;
  Status lock(std::unique_lock<std::timed_mutex>& lock, const Budget& budget);
  Status watch(std::uint64_t generation);  // mutex_ held, as for all functions below
  Status follow(const FileSnapshot& look, const Budget& budget);
  Status follow_commits();
  Status refresh();
  void renew();
  Status rebuild(std::int64_t schema_version);
  Status take_classes(std::int64_t schema_version);

  std::shared_ptr<Pool> pool_;
  std::unique_ptr<Editor> editor_;        // null: nothing may be written
  std::shared_ptr<model::Source> model_;  // may be null
  const std::vector<std::string> built_in_;
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
  std::chrono::steady_clock::time_point looked_;  // at the last now()
  bool rows_changed_ = false;                     // rows changed after renewed_
  std::chrono::steady_clock::time_point renewed_;
};

}  // namespace gantry::data::sqlite

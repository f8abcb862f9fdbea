// store/sqlite/pool.hpp: the read connections of one database, leased per statement.
//
// A lease is never held while writing to a socket or calling a plugin. Connections are opened on
// first use. A running statement keeps its connection, so a lease that has waited for kPatience
// gets an extra connection beyond the pool's size, with a small cache, up to kMostExtra of them.
// Extra connections close when fewer than the pool's size are leased again. Each lease checks the
// database's files (one or two stat calls); connections are reopened when the file was replaced or
// a writer appeared beside a quiet WAL database. An open connection to a WAL database prevents the
// last writer from removing its -wal on close; rest() closes those that are not leased.
// Thread-safe. A process opens one Pool per file.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <gantry/result.hpp>

#include "store/sqlite/connection.hpp"
#include "store/sqlite/noted_cursor.hpp"

namespace gantry::data::sqlite {

// The state of the files at one look. `generation` increases each time connections must be
// reopened.
struct FileSnapshot {
  std::uint64_t generation = 0;
  FileState files;
};

// It has more than twelve members: the files, the connections, and the settings to open one.
class Pool : public std::enable_shared_from_this<Pool> {
 public:
  static constexpr std::chrono::milliseconds kPatience{50};
  static constexpr std::size_t kMostExtra = 64;

  Pool(std::string path, std::size_t size, const Tuning& tuning, std::unique_ptr<ReadVfs> vfs)
      : vfs_(std::move(vfs)), paths_(std::move(path)), size_(size), tuning_(tuning) {}
  ~Pool();

  // `spare`: outside the limit, for a caller that may already hold a lease; such callers must
  // serialise its use. `looked`: the caller has just checked the files; the check is repeated only
  // after a wait. Errors: the budget's while waiting for a free connection, and those of opening.
  Result<std::unique_ptr<Connection>> take(const Budget& budget, bool spare = false,
                                           bool looked = false);
  void give_back(std::unique_ptr<Connection> connection, bool spare = false);

  // A connection for reading the catalog, outside the limit; close it with dispose().
  Result<std::unique_ptr<Connection>> open_catalog();
  void dispose(std::unique_ptr<Connection> connection);
  // Closes idle connections that hold a lock.
  void rest();

  Result<FileSnapshot> look();
  // Around the life of a writing connection of this process, see ReadVfs::hold().
  void hold_for_writer(std::uint64_t device, std::uint64_t inode);
  void release_writer(std::uint64_t device, std::uint64_t inode);
  const std::string& path() const { return paths_.main; }
  // The number of open connections for leases, leased or idle.
  std::size_t connections() const;

 private:
  Status follow_files();                     // mutex_ held
  bool is_sure(const FileState& now) const;  // mutex_ held
  Result<std::unique_ptr<Connection>> open(Role role, const Tuning& tuning, const Budget& budget);
  class Opening;
  bool current(const Connection&) const;                // mutex_ held
  void retire(std::unique_ptr<Connection> connection);  // mutex_ held
  Status wait_for_slot(std::unique_lock<std::mutex>& lock, const Budget& budget);
  void close_extra();  // mutex_ held

  const std::unique_ptr<ReadVfs> vfs_;  // first: connections are destroyed before it
  const DatabasePaths paths_;
  const std::size_t size_;
  const Tuning tuning_;
  mutable std::mutex mutex_;
  std::condition_variable returned_;
  FileState files_;   // for which the connections were opened
  FileState seen_;    // last seen
  FileState judged_;  // when the mode was last chosen
  Prober prober_;
  std::uint64_t generation_ = 0;
  std::size_t leased_ = 0;
  std::size_t opening_ = 0;      // number of open() calls in progress
  std::size_t allowed_ = size_;  // limit of simultaneous leases
  std::vector<std::unique_ptr<Connection>> idle_;
  std::vector<std::unique_ptr<Connection>> retired_;
};

// A leased connection; its destructor returns it. Movable.
class Lease final : public data::Lease {
 public:
  Lease(std::shared_ptr<Pool> pool, std::unique_ptr<Connection> connection, bool spare = false)
      : pool_(std::move(pool)), connection_(std::move(connection)), spare_(spare) {}
  Lease(Lease&&) noexcept = default;
  Lease& operator=(Lease&&) = delete;
  ~Lease() override {
    if (connection_) pool_->give_back(std::move(connection_), spare_);
  }

  Result<CursorPtr> prepare(const Fragment& statement) override {
    auto prepared = connection_->prepare(statement);
    if (!prepared) return prepared.status();
    return noted(std::make_unique<Statement>(std::move(*prepared)), statement.text);
  }
  Result<CursorPtr> prepare_for_caller(const CallerStatement& statement) override {
    auto prepared = connection_->prepare_for_caller(statement);
    if (!prepared) return prepared.status();
    return noted(std::make_unique<Statement>(std::move(*prepared)), statement.sql.text);
  }
  Result<std::vector<PlanStep>> explain(const Fragment& statement, const Catalog& catalog,
                                        std::string_view asked) override;
  Status confirm() const override { return connection_->confirm_unchanged(); }
  Connection& connection() { return *connection_; }

 private:
  std::shared_ptr<Pool> pool_;
  std::unique_ptr<Connection> connection_;
  bool spare_;
};

}  // namespace gantry::data::sqlite

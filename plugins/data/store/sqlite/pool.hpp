// store/sqlite/pool.hpp: the read connections of one database, leased per statement.
//
// A lease is never held while writing to a socket or calling a plugin. Connections are opened when
// first needed. A statement cannot be taken off its connection: a lease that has waited for
// kPatience gets one beyond the pool's size, with a small cache, up to kMostExtra of them; they
// close when fewer than the pool's size are leased again. The pool looks at the database's files on
// each lease (two stat calls) and opens connections anew when the file was replaced or a writer
// appeared beside a quiet WAL database. Connections to a WAL database keep its last writer from
// tidying up when it closes; rest() ends those that are not leased. Thread-safe. One process opens
// one Pool per file.
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

namespace gantry::data::sqlite {

// What the files looked like just now. `generation` grows by one each time connections have to be
// opened anew.
struct Look {
  std::uint64_t generation = 0;
  FileState files;
};

class Pool : public std::enable_shared_from_this<Pool> {
 public:
  static constexpr std::chrono::milliseconds kPatience{50};
  static constexpr std::size_t kMostExtra = 64;

  Pool(std::string path, std::size_t size, const Tuning& tuning, std::unique_ptr<ReadVfs> vfs)
      : vfs_(std::move(vfs)), paths_(std::move(path)), size_(size), tuning_(tuning) {}
  ~Pool();

  // `spare`: outside the limit, for whoever may already hold a lease; serialise its use. `looked`:
  // whoever asks has looked at the files just now, which is done again only after a wait.
  // Errors: the budget's while waiting for a free connection, and those of opening.
  Result<std::unique_ptr<Connection>> take(const Budget& budget, bool spare = false,
                                           bool looked = false);
  void give_back(std::unique_ptr<Connection> connection, bool spare = false);

  // A connection for reading the catalog, not counted; end it with dispose().
  Result<std::unique_ptr<Connection>> open_catalog();
  void dispose(std::unique_ptr<Connection> connection);
  // Closes what is not leased of connections that keep a lock while they are idle.
  void rest();

  Result<Look> look();
  const std::string& path() const { return paths_.main; }
  // Connections that are open for leases now, leased or not.
  std::size_t connections() const;

 private:
  Status follow_files();                     // mutex_ held
  bool is_sure(const FileState& now) const;  // mutex_ held
  Result<std::unique_ptr<Connection>> open(Role role, const Tuning& tuning, const Budget& budget);
  class Opening;
  bool current(const Connection&) const;              // mutex_ held
  void bury(std::unique_ptr<Connection> connection);  // mutex_ held
  Status wait_for_slot(std::unique_lock<std::mutex>& lock, const Budget& budget);
  void close_extra();  // mutex_ held

  const std::unique_ptr<ReadVfs> vfs_;  // first: connections end before it
  const DatabasePaths paths_;
  const std::size_t size_;
  const Tuning tuning_;
  mutable std::mutex mutex_;
  std::condition_variable returned_;
  FileState files_;   // of the connections in use
  FileState seen_;    // last looked at
  FileState judged_;  // when the mode was last decided
  Prober prober_;
  std::uint64_t generation_ = 0;
  std::size_t leased_ = 0;
  std::size_t opening_ = 0;      // open() is under way so often
  std::size_t allowed_ = size_;  // that may be leased at once
  std::vector<std::unique_ptr<Connection>> idle_;
  std::vector<std::unique_ptr<Connection>> buried_;
};

// A leased connection; goes back by itself. Moves; must not outlive the thread's statement.
class Lease {
 public:
  Lease(std::shared_ptr<Pool> pool, std::unique_ptr<Connection> connection, bool spare = false)
      : pool_(std::move(pool)), connection_(std::move(connection)), spare_(spare) {}
  Lease(Lease&&) noexcept = default;
  Lease& operator=(Lease&&) = delete;
  ~Lease() {
    if (connection_) pool_->give_back(std::move(connection_), spare_);
  }

  Result<Statement> prepare(const Fragment& fragment) { return connection_->prepare(fragment); }
  Result<Statement> prepare(std::string_view sql) { return connection_->prepare(sql); }
  Connection& connection() { return *connection_; }

 private:
  std::shared_ptr<Pool> pool_;
  std::unique_ptr<Connection> connection_;
  bool spare_;
};

}  // namespace gantry::data::sqlite

// store/sqlite/read_vfs.hpp: a SQLite VFS that never opens a file for writing, creates or deletes
// one.
//
// SQLite creates a missing -wal and -shm of a WAL database even for a connection that only reads.
// Through this VFS it finds them or fails. While a connection holds its lock on the database, no
// program that follows SQLite's protocol removes them.
//
// A database is opened with `frozen=1` in its URI when its -wal has content and no program holds
// the -shm. SQLite then builds the WAL index in memory and does not use a -shm. No lock excludes
// writers in this mode; the reader checks the files afterwards.
#pragma once

#include <sqlite3.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <gantry/result.hpp>

namespace gantry::data::sqlite {

// Registered with SQLite during its lifetime; it must outlive the connections that use it.
// Thread-safe.
class ReadVfs {
 public:
  // Errors: SQLite has no default VFS, or no memory.
  static Result<std::unique_ptr<ReadVfs>> make();
  ~ReadVfs();
  ReadVfs(const ReadVfs&) = delete;
  ReadVfs& operator=(const ReadVfs&) = delete;

  // For sqlite3_open_v2(); unique in this process.
  const char* name() const { return name_.c_str(); }
  // The number of open databases that take locks.
  int locking() const { return locking_.load(std::memory_order_acquire); }
  // Whether connections of this VFS share the -shm of the database `device`, `inode`.
  bool is_attached(std::uint64_t device, std::uint64_t inode) const;
  // A connection of this process that writes to the database, through another VFS: while it is held
  // it counts as one that takes locks and shares the -shm. Hold it before the file is opened, and
  // release it after it is closed.
  void hold(std::uint64_t device, std::uint64_t inode);
  void release(std::uint64_t device, std::uint64_t inode);
  // The header of the WAL index that `db` shares; it changes with every commit of any program.
  // Empty: `db` shares none, or the header is being written. `db` is a connection of a ReadVfs and
  // must not be in use by another thread.
  static std::string wal_index(sqlite3* db);
  // Whether any program holds the -shm at `path`. `device` and `inode` identify its database.
  bool is_kept(const std::string& path, std::uint64_t device, std::uint64_t inode) const;

 private:
  struct File;
  struct Methods;
  using Key = std::pair<std::uint64_t, std::uint64_t>;

  explicit ReadVfs(sqlite3_vfs* system);
  static int open(sqlite3_vfs* self, const char* path, sqlite3_file* file, int flags, int* out);
  int attach(File& file, int region, int size, int extend, void volatile** memory);
  void detach(File& file);

  sqlite3_vfs* const system_;
  std::string name_;
  sqlite3_vfs vfs_{};
  std::atomic<int> locking_{0};
  mutable std::mutex mutex_;
  std::map<Key, int> attached_;  // open files with a shared -shm, and writers
};

}  // namespace gantry::data::sqlite

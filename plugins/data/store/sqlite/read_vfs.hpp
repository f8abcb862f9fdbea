// store/sqlite/read_vfs.hpp: the system's files as SQLite sees them through here: nothing is opened
// for writing, created or deleted.
//
// SQLite makes the -wal and -shm of a WAL database wherever it misses them, also for a connection
// that only reads. Through this VFS it finds them or fails. As long as a connection holds its lock
// on the database, no program that keeps to SQLite's rules removes them.
//
// A database is opened with `frozen=1` in its URI when there is content in the -wal and no program
// that keeps the -shm: SQLite then makes its index of the -wal in memory, and neither needs nor
// looks at a -shm. Nothing keeps writers away then; the reader compares the files afterwards.
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

// Registered for as long as it lives, which is longer than the connections that use it.
// Thread-safe.
class ReadVfs {
 public:
  // Errors: SQLite has no file system or memory left.
  static Result<std::unique_ptr<ReadVfs>> make();
  ~ReadVfs();
  ReadVfs(const ReadVfs&) = delete;
  ReadVfs& operator=(const ReadVfs&) = delete;

  // For sqlite3_open_v2(): no other of this process has it.
  const char* name() const { return name_.c_str(); }
  // Databases that are open through here and take locks.
  int locking() const { return locking_.load(std::memory_order_acquire); }
  // Whether connections of this VFS share the -shm of the database `device`, `inode`.
  bool is_attached(std::uint64_t device, std::uint64_t inode) const;
  // The header of the index of the -wal that `db` shares: another one after every commit, of
  // whatever program. Empty: it shares none, or the header is being written. `db` is a connection
  // of a ReadVfs that nothing uses meanwhile.
  static std::string wal_index(sqlite3* db);
  // Whether any program keeps the -shm at `path`, which belongs to that database.
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
  std::map<Key, int> attached_;  // files that share a -shm, by their database
};

}  // namespace gantry::data::sqlite

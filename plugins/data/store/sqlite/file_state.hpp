// store/sqlite/file_state.hpp: the state of a database's files, and the mode for opening them.
//
// SQLite readers of a WAL database need its -shm file, and create both side files where they are
// missing. Gantry neither creates nor changes files beside the user's database. It reads a WAL
// database in one of three modes:
//   immutable  the -wal has no content: the main file is complete by itself; no locks are taken;
//   frozen     the -wal has content, and no program holds its -shm: the writer has crashed, or
//              keeps its WAL index private. See read_vfs.hpp;
//   shared     another program holds the -shm: SQLite's normal rules apply.
// Connections are reopened when the files change under the first two modes. Databases in other
// journal modes are always shared. Values; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <gantry/result.hpp>

#include "store/sqlite/read_vfs.hpp"

namespace gantry::data::sqlite {

struct DatabasePaths {
  explicit DatabasePaths(std::string path)
      : main(std::move(path)), wal(main + "-wal"), shm(main + "-shm") {}
  std::string main, wal, shm;
};

struct FileState {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  // Ctime: changes with content, name or rights, and cannot be set back.
  std::int64_t modified_ns = 0;
  std::int64_t seen_ns = 0;  // time of the look, on the clock of modified_ns
  // With modified_ns and seen_ns it identifies a state of -wal; 0 without one.
  std::int64_t wal_size = 0;
  std::int64_t wal_modified_ns = 0;
  bool side_files = false;  // a -wal with content, or a -wal together with a -shm
  bool wal = false;         // in WAL mode; this and the next two are set by Prober::judge()
  bool immutable = false;
  bool frozen = false;
  bool times_tell = false;  // tells_every_write()

  // True when connections opened for `*this` still read the current content, given its state `now`.
  bool still_serves(const FileState& now) const;
  // No lock protects readers in this mode: they check the files after reading.
  bool is_fixed() const { return immutable || frozen; }
  bool same_mode(const FileState& now) const {
    return wal == now.wal && immutable == now.immutable && frozen == now.frozen;
  }
  // True when the last write was long before this look, because a commit becomes visible with a
  // delay.
  bool was_quiet() const;
  // True when no commit can have happened between the two looks.
  bool same_content(const FileState& now) const;
  // The same of the main file alone.
  bool same_main_file(const FileState& now) const;

 private:
  bool is_settled(std::int64_t time) const;
};

// Whether stat() reports every write to a file at once. Not on network file systems and FUSE, which
// may answer from a cache. `type` is that of statfs(); unknown types return false.
bool tells_every_write(std::int64_t type);

// Reads the state of the database file, its -wal and -shm without opening them. GANTRY_NOT_FOUND:
// no such file. GANTRY_INVALID_ARGUMENT: a directory, not a regular file, or not accessible.
// `judged`: an earlier state, after Prober::judge(). If the file was not in WAL mode then, had no
// -wal, and has not changed since, its side files are not looked at: SQLite makes none for it.
Result<FileState> inspect_files(const DatabasePaths& paths, const FileState& judged = {});

// Which file is at the path, without its times. To ask for the times of a file makes Linux give the
// next write an exact one, of the whole system's clock for files: a commit after it then writes the
// inodes of the -wal too, another wait for the disk.
struct FileIdentity {
  std::uint64_t device = 0, inode = 0;
};
// The errors are those of inspect_files().
Result<FileIdentity> identify_file(const std::string& path);

// Chooses the mode for reading a database. Closing a file drops all POSIX locks of this process on
// it, so the file whose header was read stays open until another one replaces it. The caller
// serialises calls.
class Prober {
 public:
  Prober() = default;
  ~Prober();
  Prober(const Prober&) = delete;
  Prober& operator=(const Prober&) = delete;

  // Sets `wal`, `immutable` and `frozen`.
  Status judge(const DatabasePaths& paths, const ReadVfs& vfs, FileState& state);

 private:
  Status open(const DatabasePaths& paths, const FileState& state);

  int fd_ = -1;
  std::uint64_t device_ = 0, inode_ = 0;
};

}  // namespace gantry::data::sqlite

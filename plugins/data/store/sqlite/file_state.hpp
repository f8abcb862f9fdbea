// store/sqlite/file_state.hpp: what the database's files look like, and how they must be opened.
//
// SQLite readers of a WAL database need its -shm file and make both side files where they are
// absent. We make no files beside the user's database, nor change any. A WAL database is read
//   immutable  while no -wal content exists: the main file is complete by itself, without locks;
//   frozen     while its -wal has content and no program keeps its -shm, if there is one: the
//              writer has crashed, or keeps its index to itself. See read_vfs.hpp;
//   shared     while some program keeps the -shm: by its rules.
// As soon as files change under the first two, connections are opened anew. Others than WAL
// databases are shared. Values; any thread.
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
  std::int64_t modified_ns = 0;  // when content, name or rights changed: nobody can set it back
  std::int64_t seen_ns = 0;      // when we looked, on the clock of modified_ns
  std::int64_t wal_size = 0;     // as the two above, of -wal; 0 without one
  std::int64_t wal_modified_ns = 0;
  bool side_files = false;  // a -wal with content, or a -wal together with a -shm
  bool wal = false;         // in WAL mode; this and the next two are set by Prober::judge()
  bool immutable = false;
  bool frozen = false;
  bool times_tell = false;  // tells_every_write()

  // True when connections opened under `*this` still read what is there `now`.
  bool still_serves(const FileState& now) const;
  // No writer heeds connections of this kind: what they read is compared afterwards.
  bool is_fixed() const { return immutable || frozen; }
  bool same_mode(const FileState& now) const {
    return wal == now.wal && immutable == now.immutable && frozen == now.frozen;
  }
  // True when the last write was long before this look: a commit becomes visible a moment after it.
  bool was_quiet() const;
  // True when surely nothing was committed between the two looks.
  bool same_content(const FileState& now) const;
};

// Whether stat() tells at once of every write to a file there: not where a network or another
// program is asked, which may answer from memory. `type` as statfs() has it; unknown ones do not.
bool tells_every_write(std::int64_t type);

// Looks at the database file, its -wal and -shm without opening any of them. GANTRY_NOT_FOUND: no
// such file. GANTRY_INVALID_ARGUMENT: a directory, not a regular file, out of reach.
Result<FileState> inspect_files(const DatabasePaths& paths);

// Decides how a database is read. Closing a file drops every POSIX lock that this process holds on
// it, so the file whose header is read stays open until another takes its place. Calls are
// serialised by the caller.
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

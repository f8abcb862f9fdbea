// store/sqlite/file_state.hpp: what the database's files look like, and how they must be opened.
//
// SQLite readers of a WAL database need its -shm file and make both side files where they are
// absent. We make no files beside the user's database: while no -wal content exists the main file
// is complete by itself and is read as immutable, without locks; as soon as a writer shows up (its
// side files appear, or the main file changes) connections are opened anew and share the side
// files that the writer made. Values; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <gantry/result.hpp>

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
  bool immutable = false;   // set by choose_mode()
  bool times_tell = false;  // tells_every_write()

  // True when connections opened under `*this` still read what is there `now`.
  bool still_serves(const FileState& now) const;
  // True when surely nothing was committed between the two looks.
  bool same_content(const FileState& now) const;
};

// Whether stat() tells at once of every write to a file there: not where a network or another
// program is asked, which may answer from memory. `type` as statfs() has it; unknown ones do not.
bool tells_every_write(std::int64_t type);

// Looks at the database file, its -wal and -shm without opening any of them. GANTRY_NOT_FOUND: no
// such file. GANTRY_INVALID_ARGUMENT: a directory, not a regular file, out of reach.
Result<FileState> inspect_files(const DatabasePaths& paths);

// Reads the header and decides `immutable`. Closing a file drops every POSIX lock that this process
// holds on it, so this may run only while no locking connection to the file is open.
Status choose_mode(const DatabasePaths& paths, FileState& state);

}  // namespace gantry::data::sqlite

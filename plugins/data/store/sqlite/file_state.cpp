#include "store/sqlite/file_state.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

namespace gantry::data::sqlite {
namespace {

// Changes less than 20 ms apart may have equal timestamps. On file systems with a granularity of
// one or two seconds, the larger grain applies.
constexpr std::int64_t kTimestampGrain = 20'000'000;
constexpr std::int64_t kCoarseGrain = 2'100'000'000;

std::int64_t grain_of(std::int64_t time) {
  return time % 1'000'000'000 == 0 ? kCoarseGrain : kTimestampGrain;
}

std::int64_t nanoseconds(const timespec& t) {
  return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

std::int64_t wall_clock() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return nanoseconds(now);
}

// Cached per thread for the last file system.
bool is_told_every_write(const std::string& path, dev_t device) {
  struct Known {
    dev_t device = 0;
    bool is_told = false;
  };
  thread_local Known known;
  if (known.device != device) {
    struct statfs system {};
    known = {device, ::statfs(path.c_str(), &system) == 0 && tells_every_write(system.f_type)};
  }
  return known.is_told;
}

Status cannot_reach(const std::string& path) {
  if (errno == ENOENT || errno == ENOTDIR) {
    return Status::not_found("The database file " + path + " does not exist.");
  }
  return Status::invalid("The database file " + path + " cannot be read: " + std::strerror(errno) +
                         ".");
}

Status not_a_file(const std::string& path, unsigned mode) {
  if (S_ISDIR(mode)) return Status::invalid(path + " is a directory, not a database file.");
  if (!S_ISREG(mode)) return Status::invalid(path + " is not a regular file.");
  return {};
}

// Whether -wal has content, and whether a pair of side files exists: another program shares those.
void inspect_side_files(const DatabasePaths& paths, FileState& state) {
  struct stat wal {};
  if (::stat(paths.wal.c_str(), &wal) != 0) return;
  state.wal_size = wal.st_size;
  state.wal_modified_ns = nanoseconds(wal.st_ctim);
  struct stat shm {};
  state.side_files = wal.st_size > 0 || ::stat(paths.shm.c_str(), &shm) == 0;
}

}  // namespace

bool tells_every_write(std::int64_t type) {
  constexpr std::int64_t kXfs = 0x58465342, kZfs = 0x2fc12fc1, kBcachefs = 0xca451a4e;
  constexpr std::int64_t kTypes[] = {EXT4_SUPER_MAGIC,
                                     BTRFS_SUPER_MAGIC,
                                     F2FS_SUPER_MAGIC,
                                     TMPFS_MAGIC,
                                     RAMFS_MAGIC,
                                     OVERLAYFS_SUPER_MAGIC,
                                     kXfs,
                                     kZfs,
                                     kBcachefs};
  return std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes);
}

bool FileState::still_serves(const FileState& now) const {
  if (device != now.device || inode != now.inode) return false;
  return !is_fixed() || (side_files == now.side_files && same_content(now));
}

bool FileState::same_main_file(const FileState& now) const {
  return is_settled(modified_ns) && device == now.device && inode == now.inode &&
         size == now.size && modified_ns == now.modified_ns;
}

bool FileState::same_content(const FileState& now) const {
  return same_main_file(now) && is_settled(wal_modified_ns) && wal_size == now.wal_size &&
         wal_modified_ns == now.wal_modified_ns;
}

// A change right after the look may have the same timestamp.
bool FileState::is_settled(std::int64_t time) const { return seen_ns - time > grain_of(time); }

bool FileState::was_quiet() const {
  constexpr std::int64_t kLong = 2'000'000'000;
  return seen_ns - std::max(modified_ns, wal_modified_ns) > kLong;
}

Result<FileState> inspect_files(const DatabasePaths& paths, const FileState& judged) {
  const std::string& path = paths.main;
  FileState state;
  state.seen_ns = wall_clock();
  struct stat st {};
  if (::stat(path.c_str(), &st) != 0) return cannot_reach(path);
  if (auto status = not_a_file(path, st.st_mode); !status) return status;
  state.device = st.st_dev;
  state.inode = st.st_ino;
  state.size = st.st_size;
  state.modified_ns = nanoseconds(st.st_ctim);
  state.times_tell = is_told_every_write(path, st.st_dev);
  const bool has_none = judged.times_tell && !judged.wal && judged.wal_modified_ns == 0;
  if (!has_none || !judged.same_main_file(state)) inspect_side_files(paths, state);
  return state;
}

Result<FileIdentity> identify_file(const std::string& path) {
  struct statx st {};
  if (::statx(AT_FDCWD, path.c_str(), 0, STATX_TYPE | STATX_INO, &st) != 0) {
    return cannot_reach(path);
  }
  if (auto status = not_a_file(path, st.stx_mode); !status) return status;
  return FileIdentity{::makedev(st.stx_dev_major, st.stx_dev_minor), st.stx_ino};
}

Prober::~Prober() {
  if (fd_ >= 0) ::close(fd_);
}

Status Prober::open(const DatabasePaths& paths, const FileState& state) {
  if (fd_ >= 0 && device_ == state.device && inode_ == state.inode) return Status::ok();
  const int fd = ::open(paths.main.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return cannot_reach(paths.main);
  struct stat st {};
  const bool is_known = ::fstat(fd, &st) == 0;
  if (fd_ >= 0) ::close(fd_);
  fd_ = fd;
  device_ = is_known ? st.st_dev : 0;
  inode_ = is_known ? st.st_ino : 0;
  return Status::ok();
}

Status Prober::judge(const DatabasePaths& paths, const ReadVfs& vfs, FileState& state) {
  if (auto status = open(paths, state); !status) return status;
  char header[20] = {};
  const ssize_t got = ::pread(fd_, header, sizeof header, 0);
  // Byte 19, the format version for readers, is 2 in a WAL database.
  state.wal = got == ssize_t{sizeof header} && header[19] == 2;
  const bool is_kept =
      state.wal && state.side_files && vfs.is_kept(paths.shm, state.device, state.inode);
  state.immutable = state.wal && !is_kept && state.wal_size == 0;
  state.frozen = state.wal && !is_kept && state.wal_size > 0;
  return Status::ok();
}

}  // namespace gantry::data::sqlite

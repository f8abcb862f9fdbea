#include "store/sqlite/read_vfs.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <new>

namespace gantry::data::sqlite {
namespace {

// The byte of a -shm that every process using it locks (SQLite's UNIX_SHM_DMS).
constexpr off_t kKeptByte = 128;

constexpr int kWriting =
    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_DELETEONCLOSE | SQLITE_OPEN_EXCLUSIVE;
constexpr int kKinds = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL;

bool is_locked_by_another(int shm) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = kKeptByte;
  lock.l_len = 1;
  return ::fcntl(shm, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

}  // namespace

struct ReadVfs::File {
  sqlite3_file base;
  ReadVfs* vfs;
  const char* path;
  Key key;
  bool frozen;
  bool locks;
  bool attached;
  sqlite3_file* real;  // the underlying file

  static File& of(sqlite3_file* file) { return *reinterpret_cast<File*>(file); }
  static const sqlite3_io_methods* methods(sqlite3_file* file) { return of(file).real->pMethods; }
};

// It has more than twenty methods: SQLite prescribes them.
struct ReadVfs::Methods {
  static int close(sqlite3_file* f) {
    File& file = File::of(f);
    const int rc = file.real->pMethods->xClose(file.real);
    file.vfs->detach(file);
    if (file.locks) file.vfs->locking_.fetch_sub(1, std::memory_order_release);
    return rc;
  }
  static int read(sqlite3_file* f, void* to, int size, sqlite3_int64 at) {
    return File::methods(f)->xRead(File::of(f).real, to, size, at);
  }
  static int write(sqlite3_file*, const void*, int, sqlite3_int64) { return SQLITE_READONLY; }
  static int truncate(sqlite3_file*, sqlite3_int64) { return SQLITE_READONLY; }
  static int sync(sqlite3_file*, int) { return SQLITE_OK; }
  static int size(sqlite3_file* f, sqlite3_int64* size) {
    return File::methods(f)->xFileSize(File::of(f).real, size);
  }
  static int lock(sqlite3_file* f, int level) {
    return File::methods(f)->xLock(File::of(f).real, level);
  }
  static int unlock(sqlite3_file* f, int level) {
    return File::methods(f)->xUnlock(File::of(f).real, level);
  }
  static int check_lock(sqlite3_file* f, int* out) {
    return File::methods(f)->xCheckReservedLock(File::of(f).real, out);
  }
  static int control(sqlite3_file* f, int op, void* argument) {
    return File::methods(f)->xFileControl(File::of(f).real, op, argument);
  }
  static int sector(sqlite3_file* f) { return File::methods(f)->xSectorSize(File::of(f).real); }
  static int device(sqlite3_file* f) {
    return File::methods(f)->xDeviceCharacteristics(File::of(f).real);
  }
  static int shm_map(sqlite3_file* f, int region, int size, int extend, void volatile** memory) {
    return File::of(f).vfs->attach(File::of(f), region, size, extend, memory);
  }
  static int shm_lock(sqlite3_file* f, int offset, int count, int flags) {
    if (File::of(f).frozen) return SQLITE_OK;
    return File::methods(f)->xShmLock(File::of(f).real, offset, count, flags);
  }
  static void shm_barrier(sqlite3_file* f) {
    if (File::of(f).attached) File::methods(f)->xShmBarrier(File::of(f).real);
  }
  static int shm_unmap(sqlite3_file* f, int) {
    File& file = File::of(f);
    if (!file.attached) return SQLITE_OK;
    const int rc = file.real->pMethods->xShmUnmap(file.real, 0);  // 0: do not delete the file
    file.vfs->detach(file);
    return rc;
  }
  static int fetch(sqlite3_file* f, sqlite3_int64 at, int size, void** page) {
    *page = nullptr;
    if (File::methods(f)->iVersion < 3) return SQLITE_OK;
    return File::methods(f)->xFetch(File::of(f).real, at, size, page);
  }
  static int unfetch(sqlite3_file* f, sqlite3_int64 at, void* page) {
    if (File::methods(f)->iVersion < 3) return SQLITE_OK;
    return File::methods(f)->xUnfetch(File::of(f).real, at, page);
  }

  static constexpr sqlite3_io_methods kTable = {
      3,       close,  read,   write,   truncate, sync,        size,      lock,  unlock, check_lock,
      control, sector, device, shm_map, shm_lock, shm_barrier, shm_unmap, fetch, unfetch};

  // The file system below.
  static ReadVfs& vfs(sqlite3_vfs* self) { return *static_cast<ReadVfs*>(self->pAppData); }
  static int remove(sqlite3_vfs*, const char*, int) { return SQLITE_IOERR_DELETE; }
  static int access(sqlite3_vfs* self, const char* path, int flags, int* out) {
    return vfs(self).system_->xAccess(vfs(self).system_, path, flags, out);
  }
  static int full_path(sqlite3_vfs* self, const char* path, int size, char* out) {
    return vfs(self).system_->xFullPathname(vfs(self).system_, path, size, out);
  }
  static int randomness(sqlite3_vfs* self, int size, char* out) {
    return vfs(self).system_->xRandomness(vfs(self).system_, size, out);
  }
  static int sleep(sqlite3_vfs* self, int microseconds) {
    return vfs(self).system_->xSleep(vfs(self).system_, microseconds);
  }
  static int now(sqlite3_vfs* self, double* out) {
    return vfs(self).system_->xCurrentTime(vfs(self).system_, out);
  }
  static int last_error(sqlite3_vfs* self, int size, char* out) {
    return vfs(self).system_->xGetLastError(vfs(self).system_, size, out);
  }
};

Result<std::unique_ptr<ReadVfs>> ReadVfs::make() {
  sqlite3_vfs* const system = sqlite3_vfs_find(nullptr);
  if (system == nullptr) return Status::failed("SQLite has no file system.");
  std::unique_ptr<ReadVfs> vfs(new ReadVfs(system));
  if (sqlite3_vfs_register(&vfs->vfs_, 0) != SQLITE_OK) {
    return Status::failed("SQLite ran out of memory.");
  }
  return vfs;
}

// Several generations of this library may be loaded at the same time, each with its own VFS.
ReadVfs::ReadVfs(sqlite3_vfs* system)
    : system_(system), name_("gantry-" + std::to_string(reinterpret_cast<std::uintptr_t>(this))) {
  vfs_.iVersion = 1;
  vfs_.szOsFile = static_cast<int>(sizeof(File)) + system->szOsFile;
  vfs_.mxPathname = system->mxPathname;
  vfs_.zName = name_.c_str();
  vfs_.pAppData = this;
  vfs_.xOpen = open;
  vfs_.xDelete = Methods::remove;
  vfs_.xAccess = Methods::access;
  vfs_.xFullPathname = Methods::full_path;
  vfs_.xRandomness = Methods::randomness;
  vfs_.xSleep = Methods::sleep;
  vfs_.xCurrentTime = Methods::now;
  vfs_.xGetLastError = Methods::last_error;
}

ReadVfs::~ReadVfs() { sqlite3_vfs_unregister(&vfs_); }

int ReadVfs::open(sqlite3_vfs* self, const char* path, sqlite3_file* f, int flags, int* out) {
  f->pMethods = nullptr;
  if (path == nullptr || (flags & kKinds) == 0) return SQLITE_CANTOPEN;
  ReadVfs& vfs = Methods::vfs(self);
  auto* file = new (f) File{};
  file->vfs = &vfs;
  file->path = path;
  file->real = reinterpret_cast<sqlite3_file*>(file + 1);
  if ((flags & SQLITE_OPEN_MAIN_DB) != 0) {
    file->frozen = sqlite3_uri_boolean(path, "frozen", 0) != 0;
    struct stat st {};
    if (::stat(path, &st) == 0) file->key = {st.st_dev, st.st_ino};
  }
  // Opened with their own type, SQLite would change the owner of a -wal or journal to the
  // database's owner if this process runs as root.
  constexpr int kReading = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
  const int reading = kReading | (flags & SQLITE_OPEN_URI);
  const int rc = vfs.system_->xOpen(vfs.system_, path, file->real, reading, out);
  if (file->real->pMethods == nullptr) return rc;
  f->pMethods = &Methods::kTable;
  file->locks =
      (flags & SQLITE_OPEN_MAIN_DB) != 0 && sqlite3_uri_boolean(path, "immutable", 0) == 0;
  if (file->locks) vfs.locking_.fetch_add(1, std::memory_order_release);
  return rc;
}

// SQLite opens or creates a -shm on the first mapping.
int ReadVfs::attach(File& file, int region, int size, int extend, void volatile** memory) {
  *memory = nullptr;
  if (file.frozen) return SQLITE_READONLY_CANTINIT;
  const sqlite3_io_methods& real = *file.real->pMethods;
  if (real.iVersion < 2 || real.xShmMap == nullptr) return SQLITE_IOERR_SHMMAP;
  if (file.attached) return real.xShmMap(file.real, region, size, extend, memory);
  const std::lock_guard lock(mutex_);
  const std::string shm = std::string(file.path) + "-shm";
  if (::access(shm.c_str(), F_OK) != 0) return SQLITE_CANTOPEN;
  const int rc = real.xShmMap(file.real, region, size, extend, memory);
  // Also after a failure: the -shm is open then.
  file.attached = true;
  ++attached_[file.key];
  return rc;
}

void ReadVfs::detach(File& file) {
  if (!file.attached) return;
  file.attached = false;
  const std::lock_guard lock(mutex_);
  if (--attached_[file.key] == 0) attached_.erase(file.key);
}

void ReadVfs::hold(std::uint64_t device, std::uint64_t inode) {
  const std::lock_guard lock(mutex_);
  ++attached_[{device, inode}];
  locking_.fetch_add(1, std::memory_order_release);
}

void ReadVfs::release(std::uint64_t device, std::uint64_t inode) {
  const std::lock_guard lock(mutex_);
  if (--attached_[{device, inode}] == 0) attached_.erase({device, inode});
  locking_.fetch_sub(1, std::memory_order_release);
}

// As in SQLite: two copies of the header; a writer writes the second one first.
std::string ReadVfs::wal_index(sqlite3* db) {
  constexpr int kRegion = 32768;
  constexpr std::size_t kHeader = 48;
  sqlite3_file* f = nullptr;
  const int found = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &f);
  const bool is_ours = found == SQLITE_OK && f != nullptr && f->pMethods == &Methods::kTable;
  if (!is_ours || !File::of(f).attached) return {};
  File& file = File::of(f);
  volatile void* memory = nullptr;
  const int rc = file.real->pMethods->xShmMap(file.real, 0, kRegion, 0, &memory);
  if ((rc != SQLITE_OK && rc != SQLITE_READONLY) || memory == nullptr) return {};
  const auto copy = [&](std::size_t at) {
    const auto* const bytes = static_cast<volatile const char*>(memory) + at;
    std::string header(kHeader, '\0');
    for (std::size_t i = 0; i < kHeader; ++i) header[i] = bytes[i];
    return header;
  };
  std::string header = copy(0);
  Methods::shm_barrier(f);
  return header == copy(kHeader) ? header : std::string();
}

bool ReadVfs::is_attached(std::uint64_t device, std::uint64_t inode) const {
  const std::lock_guard lock(mutex_);
  return attached_.count({device, inode}) > 0;
}

// Closing a file drops all locks of this process on it, so it is not opened while connections use
// it.
bool ReadVfs::is_kept(const std::string& path, std::uint64_t device, std::uint64_t inode) const {
  const std::lock_guard lock(mutex_);
  if (attached_.count({device, inode}) > 0) return true;
  const int shm = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (shm < 0) return false;
  const bool is_kept = is_locked_by_another(shm);
  ::close(shm);
  return is_kept;
}

}  // namespace gantry::data::sqlite

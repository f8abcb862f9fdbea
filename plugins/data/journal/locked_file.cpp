#include "journal/locked_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

namespace gantry::data {
namespace {

constexpr int kTries = 5000;  // 1 ms apart

}  // namespace

LockedFile::~LockedFile() {
  if (fd_ >= 0) ::close(fd_);
}

Status LockedFile::open() {
  const auto refused = [this](const char* why) {
    return Status::failed(name() + " cannot be used: " + why);
  };
  struct stat found {};
  if (::lstat(path_.c_str(), &found) == 0 && !S_ISREG(found.st_mode)) {
    return refused("it is no file");
  }
  fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd_ < 0 || ::fstat(fd_, &found) != 0) return refused(std::strerror(errno));
  inode_ = found.st_ino;
  return {};
}

// Without the times of the file: to ask for them makes Linux give the next write an exact time of
// the whole system's clock for files, and the commit after it writes the inodes of the database.
bool LockedFile::is_there() const {
  struct statx found {};
  return ::statx(AT_FDCWD, path_.c_str(), 0, STATX_INO, &found) == 0 && found.stx_ino == inode_;
}

Status LockedFile::lock() {
  for (int tries = 1; ::flock(fd_, LOCK_EX | LOCK_NB) != 0; ++tries) {
    const bool is_in_use = errno == EWOULDBLOCK || errno == EINTR;
    if (!is_in_use) return failure(std::strerror(errno));
    if (tries == kTries) return failure("another program has locked it");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return {};
}

void LockedFile::unlock() { ::flock(fd_, LOCK_UN); }

Result<bool> LockedFile::is_empty() const {
  struct stat found {};
  if (::fstat(fd_, &found) != 0) return failure(std::strerror(errno));
  return found.st_size == 0;
}

Status LockedFile::read(std::uint64_t at, void* to, std::size_t size) const {
  auto* next = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t got = ::pread(fd_, next, size, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) return {GANTRY_NOT_FOUND, "the file ends here"};
    if (got < 0) return failure(std::strerror(errno));
    const auto count = static_cast<std::size_t>(got);
    next += count;
    at += count;
    size -= count;
  }
  return {};
}

Status LockedFile::write(std::uint64_t at, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return failure(std::strerror(errno));
    at += static_cast<std::uint64_t>(put);
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return {};
}

Status LockedFile::overwrite(std::uint64_t at, std::uint64_t size) {
  static const std::string kZeros(std::size_t{64} << 10U, '\0');
  while (size > 0) {
    const auto part = std::min<std::uint64_t>(size, kZeros.size());
    if (Status done = write(at, std::string_view(kZeros).substr(0, part)); !done) return done;
    at += part;
    size -= part;
  }
  return {};
}

Status LockedFile::failure(const std::string& why) const {
  return Status::failed(name() + ": " + why);
}

}  // namespace gantry::data

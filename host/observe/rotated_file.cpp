#include "host/observe/rotated_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "host/base/unique_fd.hpp"
#include "host/observe/utc.hpp"

namespace gantry::host {
namespace {

namespace fs = std::filesystem;

// Makes renames in the directory last.
void sync_directory(const fs::path& directory) {
  const UniqueFd fd(
      ::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.is_open()) ::fsync(fd.get());
}

}  // namespace

RotatedFile::~RotatedFile() { close(); }

Status RotatedFile::open() {
  if (fd_ >= 0) return {};
  fd_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
               0600);
  if (fd_ < 0) return fault("cannot be opened for writing");
  struct stat found {};
  if (::fstat(fd_, &found) != 0) return fault("cannot be looked at");
  if (!S_ISREG(found.st_mode)) {
    close();
    return Status::invalid(path_.string() + " is no regular file; name a file");
  }
  size_ = found.st_size;
  const auto changed = std::chrono::system_clock::from_time_t(found.st_mtime);
  day_ = utc_day(changed);
  return {};
}

Status RotatedFile::append(std::string_view lines, Time now) {
  if (Status opened = open(); !opened) return opened;
  const bool is_full = static_cast<std::size_t>(size_) + lines.size() > max_bytes_;
  const bool is_new_day = utc_day(now) > day_;
  if (size_ > 0 && (is_full || is_new_day)) {
    if (Status rotated = rotate(); !rotated) return rotated;
  }
  if (Status written = write_whole(lines); !written) return written;
  day_ = utc_day(now);
  return {};
}

void RotatedFile::sync() const {
  if (fd_ >= 0) ::fsync(fd_);
}

Status RotatedFile::rotate() {
  sync();
  close();
  std::error_code error;
  fs::remove(numbered(keep_), error);
  for (std::size_t n = keep_; n > 0; --n) {
    const fs::path from = numbered(n - 1);
    if (fs::exists(from, error)) fs::rename(from, numbered(n), error);
    if (!error) continue;
    errno = error.value();
    return fault("cannot be rotated");
  }
  sync_directory(path_.parent_path());
  return open();
}

// What a full disk took of the lines is cut off again, so that no half line stays.
Status RotatedFile::write_whole(std::string_view lines) {
  std::string_view left = lines;
  while (!left.empty()) {
    const ssize_t n = ::write(fd_, left.data(), left.size());
    if (n > 0) {
      left.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno != EINTR) {
      const Status failed = fault("cannot be written");
      if (::ftruncate(fd_, size_) != 0) close();
      return failed;
    }
  }
  size_ += static_cast<off_t>(lines.size());
  return {};
}

Status RotatedFile::fault(const char* what) const {
  const int cause = errno;
  return Status::invalid(path_.string() + " " + what + ": " + std::strerror(cause));
}

// The file itself for 0.
fs::path RotatedFile::numbered(std::size_t n) const {
  return n == 0 ? path_ : fs::path(path_.string() + "." + std::to_string(n));
}

void RotatedFile::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

}  // namespace gantry::host

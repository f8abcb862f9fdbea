#include "host/plugin/sealed_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace gantry::host {
namespace {

constexpr int kSeals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
constexpr unsigned kNoExecSeal = 0x0008U;  // MFD_NOEXEC_SEAL, Linux 6.3: cannot be run as a program

Status failed(const char* what, int error) {
  return Status::failed(std::string("the plugin's memory file ") + what + ": " +
                        std::generic_category().message(error));
}

int make_memory_file() {
  constexpr unsigned kFlags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  const int fd = ::memfd_create("gantry-plugin", kFlags | kNoExecSeal);
  if (fd >= 0 || errno != EINVAL) return fd;
  return ::memfd_create("gantry-plugin", kFlags);
}

Status write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      return {GANTRY_FAILED, failed("cannot be written", errno).message() +
                                 "; raise the limit on file sizes (ulimit -f) or on memory"};
    }
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return {};
}

}  // namespace

SealedFile::Bytes::Bytes(Bytes&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

SealedFile::Bytes::~Bytes() {
  if (size_ != 0) ::munmap(const_cast<char*>(data_), size_);
}

Result<SealedFilePtr> SealedFile::of(const std::function<Status(const Append&)>& fill) {
  SealedFilePtr file(new SealedFile(make_memory_file()));
  if (file->fd() < 0) return failed("cannot be made", errno);
  const Status filled =
      fill([&file](std::string_view piece) { return write_all(file->fd(), piece); });
  if (!filled) return filled;
  if (::fcntl(file->fd(), F_ADD_SEALS, kSeals) != 0) return failed("cannot be sealed", errno);
  return file;
}

Result<SealedFilePtr> SealedFile::of(std::string_view bytes) {
  return of([bytes](const Append& append) { return append(bytes); });
}

Result<SealedFilePtr> SealedFile::adopt(int fd) {
  SealedFilePtr file(new SealedFile(fd));
  const int seals = ::fcntl(fd, F_GET_SEALS);
  if (seals < 0) return failed("is not there", errno);
  if ((seals & kSeals) != kSeals) return Status::denied("the plugin's memory file is not sealed");
  if (::fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) return failed("cannot be used", errno);
  return file;
}

Result<SealedFile::Bytes> SealedFile::read() const {
  struct stat info {};
  if (::fstat(fd(), &info) != 0) return failed("cannot be read", errno);
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0) return Bytes("", 0);
  void* const data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd(), 0);
  if (data == MAP_FAILED) return failed("cannot be read", errno);
  return Bytes(static_cast<const char*>(data), size);
}

Result<SealedFilePtr> SealedFile::copy() const {
  const Result<Bytes> bytes = read();
  if (!bytes) return bytes.status();
  return of(bytes->view());
}

}  // namespace gantry::host

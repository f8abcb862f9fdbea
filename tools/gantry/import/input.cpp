#include "tools/gantry/import/input.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace gantry::cli::importing {
namespace {

constexpr std::size_t kBuffer = 256 * 1024;

std::string reason() { return std::strerror(errno); }

ssize_t read_some(int fd, char* to, std::size_t most) {
  for (;;) {
    const ssize_t got = ::read(fd, to, most);
    if (got >= 0 || errno != EINTR) return got;
  }
}

Status write_all(int fd, const char* from, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t wrote = ::write(fd, from + done, size - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return Status::failed("Standard input cannot be kept in $TMPDIR: " + reason());
    done += static_cast<std::size_t>(wrote);
  }
  return {};
}

int nameless_file() {
  const char* const folder = std::getenv("TMPDIR");
  std::string path = std::string(folder && *folder ? folder : "/tmp") + "/gantry-import-XXXXXX";
  const int fd = ::mkostemp(path.data(), O_CLOEXEC);
  if (fd >= 0) ::unlink(path.c_str());
  return fd;
}

Status copy(int from, int to, const Watch& watch) {
  std::vector<char> part(kBuffer);
  std::uint64_t all = 0;
  for (;;) {
    if (!watch(all, 0)) return {GANTRY_CANCELLED, "Stopped."};
    const ssize_t got = read_some(from, part.data(), part.size());
    if (got == 0) return {};
    if (got < 0) return Status::failed("Standard input cannot be read: " + reason());
    if (Status status = write_all(to, part.data(), static_cast<std::size_t>(got)); !status) {
      return status;
    }
    all += static_cast<std::uint64_t>(got);
  }
}

Result<int> spool(const Watch& watch) {
  const int fd = nameless_file();
  if (fd < 0) return Status::failed("There is no room for a file in $TMPDIR: " + reason());
  if (Status status = copy(STDIN_FILENO, fd, watch); !status) {
    ::close(fd);
    return status;
  }
  return fd;
}

Result<int> open_named(const std::string& path) {
  // Without O_NONBLOCK a named pipe would wait for a writer before it can be refused.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return Status::invalid("Cannot read " + path + ": " + reason());
  return fd;
}

}  // namespace

Result<Input> Input::open(const std::string& path, const Watch& watch) {
  auto fd = path == "-" ? spool(watch) : open_named(path);
  if (!fd) return fd.status();
  Input input(path == "-" ? "standard input" : path, *fd);
  if (Status status = input.prepare(); !status) return status;
  return input;
}

Input::Input(Input&& other) noexcept
    : name_(std::move(other.name_)),
      fd_(std::exchange(other.fd_, -1)),
      size_(other.size_),
      position_(other.position_),
      line_(other.line_),
      at_(other.at_),
      end_(other.end_),
      mark_(other.mark_),
      buffer_(std::move(other.buffer_)),
      status_(std::move(other.status_)) {}

Input::~Input() {
  if (fd_ >= 0) ::close(fd_);
}

Status Input::prepare() {
  struct stat about {};
  if (::fstat(fd_, &about) != 0) return Status::invalid("Cannot read " + name_ + ": " + reason());
  if (!S_ISREG(about.st_mode)) {
    return Status::invalid(name_ + " is no plain file; a pipe can be read as -");
  }
  size_ = static_cast<std::uint64_t>(about.st_size);
  if (size_ == 0) return Status::invalid(name_ + " is empty");
  buffer_.resize(kBuffer);
  ::lseek(fd_, 0, SEEK_SET);
  std::array<char, 3> first{};
  const std::string_view seen(first.data(), static_cast<std::size_t>(std::max<ssize_t>(
                                                read_some(fd_, first.data(), 3), 0)));
  if (seen.starts_with("\xFF\xFE") || seen.starts_with("\xFE\xFF")) {
    return Status::invalid(name_ + " is UTF-16; make it UTF-8 first: iconv -f UTF-16 -t UTF-8");
  }
  mark_ = seen == "\xEF\xBB\xBF" ? 3 : 0;
  rewind();
  return {};
}

void Input::rewind() {
  ::lseek(fd_, static_cast<off_t>(mark_), SEEK_SET);
  position_ = mark_;
  line_ = 1;
  at_ = end_ = 0;
  status_ = {};
}

bool Input::fill() {
  if (!status_) return false;
  const ssize_t got = read_some(fd_, buffer_.data(), buffer_.size());
  if (got < 0) status_ = Status::failed("Cannot read " + name_ + ": " + reason());
  at_ = 0;
  end_ = got > 0 ? static_cast<std::size_t>(got) : 0;
  return end_ > 0;
}

char Input::take() {
  if (at_end()) return '\0';
  const char c = buffer_[at_++];
  ++position_;
  line_ += c == '\n';
  return c;
}

std::string_view Input::take_some_line() {
  if (at_end()) return {};
  const char* const from = buffer_.data() + at_;
  const auto* found = static_cast<const char*>(std::memchr(from, '\n', end_ - at_));
  const std::size_t length = found ? static_cast<std::size_t>(found - from) + 1 : end_ - at_;
  at_ += length;
  position_ += length;
  line_ += found != nullptr;
  return {from, length};
}

}  // namespace gantry::cli::importing

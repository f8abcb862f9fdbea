#include "host/worker/temporary.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "host/base/unique_fd.hpp"
#include "host/worker/census.hpp"

namespace gantry::host {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "gantry-worker-";

struct Close {
  void operator()(DIR* directory) const { ::closedir(directory); }
};
using Directory = std::unique_ptr<DIR, Close>;

// Never through a link: the worker may exchange the directory meanwhile, so the rights are changed
// of the directory that was opened, not of its name.
Directory open_directory(int parent, const char* name) {
  constexpr int kFlags = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  int fd = ::openat(parent, name, O_RDONLY | kFlags);
  if (fd < 0 && errno == EACCES) {
    const UniqueFd place(::openat(parent, name, O_PATH | kFlags));
    const std::string path = "/proc/self/fd/" + std::to_string(place.get());
    if (place.is_open() && ::chmod(path.c_str(), S_IRWXU) == 0)
      fd = ::openat(place.get(), ".", O_RDONLY | kFlags);
  }
  if (fd < 0) return nullptr;
  Directory out(::fdopendir(fd));
  if (!out) ::close(fd);
  return out;
}

bool is_dots(const char* name) {
  return std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0;
}

void count(DIR& directory, int depth, std::size_t most, DiskUse& use) {
  if (depth == 0) use.files = most + 1;
  const int fd = ::dirfd(&directory);
  while (const dirent* entry = use.files <= most ? ::readdir(&directory) : nullptr) {
    struct stat info {};
    if (is_dots(entry->d_name) || ::fstatat(fd, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    ++use.files;
    use.bytes += static_cast<std::uint64_t>(info.st_blocks) * kStatBlock;
    if (!S_ISDIR(info.st_mode)) continue;
    if (const Directory below = open_directory(fd, entry->d_name))
      count(*below, depth - 1, most, use);
  }
}

// Under a name that nothing in `top` has.
void lift(int from, const char* name, int top, std::uint64_t& names) {
  do {
    if (::renameat(from, name, top, ("lifted-" + std::to_string(names++)).c_str()) == 0) return;
  } while (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR);
}

// Empties `directory` but for its own directories, which are moved to `top`.
void lift_directories(DIR& directory, int top, std::uint64_t& names) {
  const int fd = ::dirfd(&directory);
  ::fchmod(fd, S_IRWXU);
  while (const dirent* entry = ::readdir(&directory)) {
    if (is_dots(entry->d_name) || ::unlinkat(fd, entry->d_name, 0) == 0) continue;
    // A directory that is moved gets another parent, so it must be writable itself.
    if (const Directory below = open_directory(fd, entry->d_name))
      ::fchmod(::dirfd(below.get()), S_IRWXU);
    lift(fd, entry->d_name, top, names);
  }
}

// Holds two descriptors, however deep the worker nested its directories.
void empty(DIR& top) {
  const int fd = ::dirfd(&top);
  std::uint64_t names = 0;
  for (bool found = true; found;) {
    found = false;
    ::rewinddir(&top);
    while (const dirent* entry = ::readdir(&top)) {
      if (is_dots(entry->d_name) || ::unlinkat(fd, entry->d_name, 0) == 0) continue;
      if (const Directory below = open_directory(fd, entry->d_name))
        lift_directories(*below, fd, names);
      found = ::unlinkat(fd, entry->d_name, AT_REMOVEDIR) == 0 || found;
    }
  }
}

struct Maker {
  pid_t pid = 0;
  std::uint64_t started = 0;
};

template <class Number>
bool take_number(std::string_view& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto size = static_cast<std::size_t>(end - text.data());
  if (error != std::errc{} || size == text.size() || *end != '-') return false;
  text.remove_prefix(size + 1);
  return true;
}

// The process that made gantry-worker-PID-STARTED-XXXXXX, or nothing when the name is another's.
std::optional<Maker> maker_of(std::string_view name) {
  Maker maker;
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  if (!take_number(name, maker.pid) || !take_number(name, maker.started)) return std::nullopt;
  return maker.pid > 0 ? std::optional(maker) : std::nullopt;
}

// A container's first process has the same number each time.
bool is_gone(const Maker& maker) {
  const std::uint64_t started = started_at(maker.pid);
  if (started != 0) return started != maker.started;
  return ::kill(maker.pid, 0) != 0 && errno == ESRCH;
}

bool is_own_directory(const fs::path& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid();
}

fs::path root_or_default(fs::path root) {
  std::error_code error;
  if (!root.empty()) return root;
  root = fs::temp_directory_path(error);
  return error ? fs::path("/tmp") : root;
}

}  // namespace

bool TemporaryDirectory::is_there() const { return is_own_directory(path_); }

DiskUse TemporaryDirectory::use(std::size_t most) const {
  DiskUse out;
  if (const Directory directory = open_directory(AT_FDCWD, path_.c_str()))
    count(*directory, kDepth, most, out);
  return out;
}

void TemporaryDirectory::remove() noexcept {
  if (std::exchange(removed_, true)) return;
  try {
    if (const Directory directory = open_directory(AT_FDCWD, path_.c_str())) empty(*directory);
    ::rmdir(path_.c_str());
  } catch (...) {
    // The next host sweeps.
  }
}

TemporaryRoot::TemporaryRoot(fs::path root) : root_(root_or_default(std::move(root))) {
  ::mkdir(root_.c_str(), S_IRWXU);
  sweep();
}

void TemporaryRoot::sweep() const {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root_, error)) {
    const auto maker = maker_of(entry.path().filename().native());
    if (maker && is_gone(*maker) && is_own_directory(entry.path()))
      TemporaryDirectory(entry.path()).remove();
  }
}

Result<std::unique_ptr<TemporaryDirectory>> TemporaryRoot::make() {
  static const std::uint64_t started = started_at(::getpid());
  std::string path = (root_ / kPrefix).native() + std::to_string(::getpid()) + '-' +
                     std::to_string(started) + "-XXXXXX";
  if (::mkdtemp(path.data()) != nullptr) return std::make_unique<TemporaryDirectory>(path);
  return Status::failed("a worker's temporary directory cannot be made in " + root_.string() +
                        ": " + std::strerror(errno) +
                        "; give room and rights there, or another state directory");
}

}  // namespace gantry::host

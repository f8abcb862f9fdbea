#include "tools/gantry/dev/watch.hpp"

#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace gantry::cli {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::milliseconds kQuiet{150};
constexpr std::chrono::seconds kLongest{3};
constexpr std::uint32_t kEvents =
    IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO;

bool is_ignored(std::string_view name) {
  return name.empty() || name.front() == '.' || name.back() == '~' || name == "build" ||
         name == "target" || name == "node_modules";
}

}  // namespace

Result<Watch> Watch::of(const fs::path& root) {
  const int fd = ::inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (fd < 0) return Status::failed(std::string("cannot watch files: ") + std::strerror(errno));
  Watch out(fd, root);
  if (out.add_all()) return out;
  return Status::failed("cannot watch " + root.string() + ": " + std::strerror(errno));
}

Watch::Watch(Watch&& other) noexcept : fd_(other.fd_), root_(std::move(other.root_)) {
  other.fd_ = -1;
}

Watch::~Watch() {
  if (fd_ >= 0) ::close(fd_);
}

bool Watch::add(const fs::path& directory) {
  return ::inotify_add_watch(fd_, directory.c_str(), kEvents | IN_ONLYDIR) >= 0;
}

// May be called repeatedly: a folder that is already watched stays watched.
bool Watch::add_all() {
  if (!add(root_)) return false;
  std::error_code error;
  fs::recursive_directory_iterator at(root_, error);
  for (const fs::recursive_directory_iterator end; !error && at != end; at.increment(error)) {
    if (!at->is_directory(error)) continue;
    if (is_ignored(at->path().filename().native())) {
      at.disable_recursion_pending();
    } else if (!add(at->path()) && errno == ENOSPC) {
      return false;
    }
  }
  return true;
}

bool Watch::take() {
  alignas(inotify_event) char buffer[16 << 10];
  bool matters = false;
  for (;;) {
    const ssize_t size = ::read(fd_, buffer, sizeof buffer);
    if (size <= 0) return matters;
    for (const char* at = buffer; at < buffer + size;) {
      const auto* event = reinterpret_cast<const inotify_event*>(at);
      const bool lost = (event->mask & IN_Q_OVERFLOW) != 0;
      matters = matters || lost || (event->len > 0 && !is_ignored(event->name));
      at += sizeof(inotify_event) + event->len;
    }
  }
}

bool Watch::settled(const Stop& stop) {
  const auto latest = std::chrono::steady_clock::now() + kLongest;
  bool matters = take();
  while (std::chrono::steady_clock::now() < latest) {
    const Woken woken = wait_for(fd_, stop, kQuiet);
    if (woken == Woken::stopped) return false;
    if (woken == Woken::late) break;
    matters = take() || matters;
  }
  if (matters) add_all();
  return matters;
}

}  // namespace gantry::cli

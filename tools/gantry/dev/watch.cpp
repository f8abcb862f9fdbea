#include "tools/gantry/dev/watch.hpp"

#include <poll.h>
#include <sys/eventfd.h>

#include <cstdint>
#include <string_view>

namespace gantry::cli {
namespace {

constexpr std::chrono::milliseconds kDwell{100}, kQuiet{100};
constexpr std::chrono::seconds kLongest{3};

bool is_ignored(std::string_view name) {
  return name.empty() || name.front() == '.' || name.back() == '~' || name == "build" ||
         name == "target" || name == "node_modules";
}

}  // namespace

// The watcher's first call says that the tree is watched.
Watch::Watch(const std::filesystem::path& root)
    : changed_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      watcher_([this] { tell(); }, {.dwell = kDwell, .tree = is_ignored}) {
  watcher_.watch({root});
  pollfd watched{fd(), POLLIN, 0};
  ::poll(&watched, 1, -1);
  take();
}

void Watch::tell() {
  const std::uint64_t one = 1;
  (void)!::write(fd(), &one, sizeof one);
}

void Watch::take() {
  std::uint64_t calls = 0;
  (void)!::read(fd(), &calls, sizeof calls);
}

bool Watch::settled(const Stop& stop) {
  const auto latest = std::chrono::steady_clock::now() + kLongest;
  take();
  while (std::chrono::steady_clock::now() < latest) {
    const Woken woken = wait_for(fd(), stop, kQuiet);
    if (woken == Woken::stopped) return false;
    if (woken == Woken::late) break;
    take();
  }
  return true;
}

}  // namespace gantry::cli

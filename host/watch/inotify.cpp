#include "host/watch/inotify.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace gantry::host {
namespace {

constexpr std::uint32_t kWays = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE |
                                IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
constexpr std::uint32_t kContent = kWays | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB;

// A file that a program made has no content yet; a link that was made has all of it.
bool is_unwritten(const std::string& file) {
  struct stat found {};
  return ::lstat(file.c_str(), &found) == 0 && S_ISREG(found.st_mode) && found.st_nlink == 1;
}

Dwell::Touch touch_of(std::uint32_t mask, const std::string& file) {
  if ((mask & IN_MODIFY) != 0) return Dwell::Touch::part;
  if ((mask & IN_CREATE) != 0 && is_unwritten(file)) return Dwell::Touch::part;
  return (mask & IN_ATTRIB) != 0 ? Dwell::Touch::aside : Dwell::Touch::whole;
}

}  // namespace

Inotify::Inotify() : fd_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {}

bool Inotify::follow(const WatchPlan& plan) {
  if (!works()) return false;
  // A directory that is watched already keeps its number; a new one at an old path gets another.
  std::unordered_map<int, Watched> next;
  for (const auto& [path, interest] : plan.directories) {
    const std::uint32_t mask = interest.has_content() ? kContent : kWays;
    const int watch = ::inotify_add_watch(fd(), path.c_str(), mask | IN_MASK_ADD);
    if (watch < 0) continue;
    next[watch].path = path;
    next[watch].interest.merge(interest);
  }
  const bool more = std::any_of(next.begin(), next.end(), [this](const auto& entry) {
    return !watched_.contains(entry.first);
  });
  watched_.swap(next);
  for (const auto& [watch, before] : next) {
    if (!watched_.contains(watch)) ::inotify_rm_watch(fd(), watch);
  }
  return more;
}

void Inotify::read(Dwell& dwell, Dwell::Time now) {
  alignas(inotify_event) std::array<char, 16384> buffer;
  for (;;) {
    const ssize_t size = ::read(fd(), buffer.data(), buffer.size());
    if (size <= 0) return;
    for (const char* at = buffer.data(); at < buffer.data() + size;) {
      const auto& event = *reinterpret_cast<const inotify_event*>(at);
      take(event, dwell, now);
      at += sizeof event + event.len;
    }
  }
}

void Inotify::take(const inotify_event& event, Dwell& dwell, Dwell::Time now) {
  if ((event.mask & IN_Q_OVERFLOW) != 0) return dwell.touch("", Dwell::Touch::whole, now);
  const auto found = watched_.find(event.wd);
  if (found == watched_.end()) return;  // not watched any more
  if (event.len == 0) {
    dwell.touch("", Dwell::Touch::whole, now);
  } else if (const std::string name = event.name; found->second.interest.includes(name)) {
    dwell.touch(std::to_string(event.wd) + '/' + name,
                touch_of(event.mask, found->second.path + '/' + name), now);
  }
  if ((event.mask & IN_IGNORED) != 0) watched_.erase(found);
}

}  // namespace gantry::host

// host/watch/watcher.hpp: notices that files were added, replaced, written or removed.
//
// For directories of plugins (every *.so in them that does not begin with a dot) and for single
// files of any name. It sees a file that is renamed over, copied over, written in place, linked,
// removed, reached through a link that is turned, or in a directory that is replaced or comes
// later. Events of the kernel tell it at once; a look at the files' stamps every two seconds finds
// what they missed (network file systems, an overflow).
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace gantry::host {

struct WatcherOptions {
  // Quiet time after the last event of a file.
  std::chrono::milliseconds dwell{150};
  // Between two looks at the stamps.
  std::chrono::milliseconds look{2000};
  // A non-blocking descriptor of others, or -1: when it can be read it is emptied and `changed` is
  // called.
  int also = -1;
};

class Watcher {
 public:
  // `changed` is called on the watcher's own thread, never twice at once; it may block and may call
  // watch(). A false alarm is possible; a change that is missed is not.
  explicit Watcher(std::function<void()> changed, WatcherOptions options = {});
  // Waits for a call of `changed` that is under way.
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // From now on these instead of what was watched, followed by one call of `changed`: for what
  // happened before they were watched. Relative paths count from the present working directory. Any
  // thread; returns at once.
  void watch(std::vector<std::filesystem::path> paths);

  // How many directories the kernel watches for this; 0 where it cannot (then the looks come four
  // times as often). Any thread.
  std::size_t watches() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gantry::host

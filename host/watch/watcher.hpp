// host/watch/watcher.hpp: notices that files were added, replaced, written or removed.
//
// For directories of plugins (every *.so in them that does not begin with a dot), for single files
// of any name, and for trees of files. It detects a file that is renamed over, copied over, written
// in place, linked, removed, reached through a changed link, or in a directory that is replaced or
// made later. The kernel's events come at once; a comparison of the files' stamps every two seconds
// finds changes without events (network file systems, an overflow).
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "host/watch/watch_plan.hpp"

namespace gantry::host {

struct WatcherOptions {
  // Quiet time after the last event of a file.
  std::chrono::milliseconds dwell{150};
  // Time between two comparisons of the stamps.
  std::chrono::milliseconds look{2000};
  // A non-blocking descriptor of the caller, or -1: when it is readable it is emptied and `changed`
  // is called.
  int also = -1;
  // Set: a watched directory is the root of a tree (watch_plan.hpp). Null: it is one of plugins.
  LeftOut tree = nullptr;
};

class Watcher {
 public:
  // `changed` is called on the watcher's own thread, never twice at once; it may block and may call
  // watch(). It may be called without a change; no change is missed.
  explicit Watcher(std::function<void()> changed, WatcherOptions options = {});
  // Waits for a call of `changed` that is under way.
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // Replaces the watched paths; then calls `changed` once, for changes before they were watched.
  // Relative paths are relative to the current working directory. Any thread; returns at once.
  void watch(std::vector<std::filesystem::path> paths);

  // Directories that the kernel watches for this object; 0 without inotify (then stamps are
  // compared four times as often). Any thread.
  std::size_t watches() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gantry::host

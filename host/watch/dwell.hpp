// host/watch/dwell.hpp: debounces the events of files.
//
// Copying a file is several events, and a reader that acts at the first one reads half a file. A
// name is at rest after a time without events. A file that is being written is at rest when it is
// closed, or kPatience after the last write. Not thread-safe.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

namespace gantry::host {

class Dwell {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds kPatience{2000};

  explicit Dwell(std::chrono::milliseconds rest) : rest_(rest) {}

  enum class Touch {
    whole,  // it was added, removed or closed after writing
    part,   // it was made without content, or its content changed, and it is still open
    aside,  // any other event
  };

  void touch(const std::string& name, Touch how, Time now);
  // True when a name is at rest; forgets all that are.
  bool take(Time now);
  // The next time at which take() may be true; nullopt when no name waits.
  std::optional<Time> next() const;

 private:
  struct Entry {
    Time last;
    bool writing = false;
  };
  Time due(const Entry& entry) const;

  const std::chrono::milliseconds rest_;
  std::map<std::string, Entry> entries_;
};

}  // namespace gantry::host

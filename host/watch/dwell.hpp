// host/watch/dwell.hpp: when changes have come to rest.
//
// Copying a file is several events; who acts at the first one reads half a file. A name is at rest
// when nothing happened to it for a while. One that is being written rests when it is closed; a
// writer that keeps it open without writing is not waited for beyond kPatience. Not thread-safe.
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
    whole,  // it came, went or was closed after writing
    part,   // its content changes and it has not been closed since
    aside,  // something else about it
  };

  void touch(const std::string& name, Touch how, Time now);
  // True when some name is at rest; all such are forgotten.
  bool take(Time now);
  // When take() may be true next; nothing when no name waits.
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

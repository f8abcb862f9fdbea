// tools/gantry/dev/stop.hpp: being told to end, by Ctrl-C or SIGTERM.
#pragma once

#include <chrono>

namespace gantry::cli {

// Takes both signals away from the process; one at a time. Main thread.
class Stop {
 public:
  Stop();
  ~Stop();
  Stop(const Stop&) = delete;
  Stop& operator=(const Stop&) = delete;

  int fd() const { return fd_; }  // readable when told; stays so
  bool told() const;

 private:
  int fd_;
};

enum class Woken { ready, stopped, late };

// Waits until `fd` is readable, or told to stop, or the time has passed (negative: never).
Woken wait_for(int fd, const Stop& stop, std::chrono::milliseconds time);

}  // namespace gantry::cli

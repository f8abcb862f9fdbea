// tools/gantry/dev/stop.hpp: what ends a command that waits: Ctrl-C and SIGTERM as a readable
// descriptor, and output without a reader.
#pragma once

#include <chrono>

namespace gantry::cli {

// Blocks both signals in the process. At most one instance. Main thread.
class Stop {
 public:
  Stop();
  ~Stop();
  Stop(const Stop&) = delete;
  Stop& operator=(const Stop&) = delete;

  int fd() const { return fd_; }  // readable from the first signal on
  bool told() const;
  // Forgets each Ctrl-C that came, for a program that goes on; not SIGTERM.
  void forget();

 private:
  int fd_;
  bool ends_ = false;  // SIGTERM came
};

enum class Woken { ready, stopped, late };

// Waits until `fd` is readable, a signal arrived, or the time has passed (negative: no limit).
Woken wait_for(int fd, const Stop& stop, std::chrono::milliseconds time);

// Standard output has no reader any more: `head` has seen enough, or the terminal is gone.
bool reader_left();

}  // namespace gantry::cli

// host/app/signals.hpp: signals to stop and to reload the configuration, as descriptors.
#pragma once

namespace gantry::host {

// Blocks SIGTERM, SIGINT and SIGHUP in this thread and those it starts later, and ignores SIGPIPE.
// Made first in main(); one per process.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  // Readable after a signal to stop.
  int fd() const { return fd_; }
  // Readable after SIGHUP, non-blocking. ConfigReload reads it empty.
  int hangup_fd() const { return hangup_fd_; }
  // Waits. True: a signal to stop has come; false: `milliseconds` have passed.
  bool wait(int milliseconds) const;
  // From now on a signal to stop ends the process at once.
  void release() const;

 private:
  int fd_ = -1, hangup_fd_ = -1;
};

}  // namespace gantry::host

// tools/gantry/dev/child.hpp: a child process in its own process group.
//
// Main thread.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <gantry/result.hpp>

#include "tools/gantry/dev/stop.hpp"

namespace gantry::cli {

class Child {
 public:
  // Standard input is empty, output goes where ours goes; with `pipe`, standard output is read from
  // output(). An error when there is no such program.
  static Result<std::unique_ptr<Child>> start(const std::vector<std::string>& command,
                                              bool pipe = false);
  // Ends it: SIGTERM to the whole group, SIGKILL when it still runs after `grace`.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int fd() const { return pidfd_; }       // readable when it has ended
  int output() const { return output_; }  // -1 without a pipe
  // Its exit code, 128 + the signal that ended it, or -1 when this program must stop first.
  int wait(const Stop& stop);

 private:
  Child(pid_t pid, int pidfd, int output) : pid_(pid), pidfd_(pidfd), output_(output) {}
  int reap();

  const pid_t pid_;
  const int pidfd_, output_;
  bool ended_ = false;
};

}  // namespace gantry::cli

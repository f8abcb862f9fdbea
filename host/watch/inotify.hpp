// host/watch/inotify.hpp (private): the kernel's events for the directories of a plan.
//
// One thread at a time. A kernel that gives no inotify instance makes an Inotify without events.
#pragma once

#include <sys/inotify.h>

#include <cstddef>
#include <string>
#include <unordered_map>

#include "host/base/unique_fd.hpp"
#include "host/watch/dwell.hpp"
#include "host/watch/watch_plan.hpp"

namespace gantry::host {

class Inotify {
 public:
  Inotify();

  int fd() const { return fd_.get(); }  // readable when there are events; -1: there is no inotify
  bool works() const { return fd_.get() >= 0; }
  std::size_t size() const { return watched_.size(); }

  // Watches exactly the plan's directories; true when one of them was not watched before.
  bool follow(const WatchPlan& plan);

  // Reads the events and passes those that matter to `dwell`, by names that are unique among
  // directories. An overflow, and the events of a directory itself, get the name "".
  void read(Dwell& dwell, Dwell::Time now);

 private:
  struct Watched {
    std::string path;  // one of those that lead to the directory
    DirectoryInterest interest;
  };
  void take(const inotify_event& event, Dwell& dwell, Dwell::Time now);

  UniqueFd fd_;
  std::unordered_map<int, Watched> watched_;  // by watch descriptor
};

}  // namespace gantry::host

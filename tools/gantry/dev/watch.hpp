// tools/gantry/dev/watch.hpp: notices changes of the sources below a folder.
//
// Ignores build output (build, target), hidden files and node_modules. Main thread.
#pragma once

#include <filesystem>

#include "host/base/unique_fd.hpp"
#include "host/watch/watcher.hpp"
#include "tools/gantry/dev/stop.hpp"

namespace gantry::cli {

class Watch {
 public:
  // Returns when changes from now on are noticed. Its thread inherits the signals that are blocked.
  explicit Watch(const std::filesystem::path& root);

  int fd() const { return changed_.get(); }  // readable after a change
  // Call it when fd() is readable: waits until the changes pause. False: the user stopped the
  // program.
  bool settled(const Stop& stop);

 private:
  void tell();
  void take();

  host::UniqueFd changed_;
  host::Watcher watcher_;  // last: its thread uses the other
};

}  // namespace gantry::cli

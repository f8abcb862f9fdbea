// tools/gantry/dev/watch.hpp: notices changes of the sources below a folder.
//
// Ignores build output (build, target), hidden files and node_modules. Main thread.
#pragma once

#include <filesystem>
#include <string>

#include <gantry/result.hpp>

#include "tools/gantry/dev/stop.hpp"

namespace gantry::cli {

class Watch {
 public:
  // Fails when the kernel's limit of watches is reached.
  static Result<Watch> of(const std::filesystem::path& root);
  Watch(Watch&& other) noexcept;
  Watch& operator=(Watch&&) = delete;
  ~Watch();

  int fd() const { return fd_; }
  // Call it when fd() is readable: takes the events and waits until they pause. False: no relevant
  // change, or the user stopped the program.
  bool settled(const Stop& stop);

 private:
  Watch(int fd, std::filesystem::path root) : fd_(fd), root_(std::move(root)) {}
  bool add(const std::filesystem::path& directory);
  bool add_all();
  bool take();

  int fd_;
  std::filesystem::path root_;
};

}  // namespace gantry::cli

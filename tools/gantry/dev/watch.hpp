// tools/gantry/dev/watch.hpp: when the sources below a folder change.
//
// What builds make (build, target), hidden files and node_modules are not looked at. Main thread.
#pragma once

#include <filesystem>
#include <string>

#include <gantry/result.hpp>

#include "tools/gantry/dev/stop.hpp"

namespace gantry::cli {

class Watch {
 public:
  // An error when the kernel gives no more watches.
  static Result<Watch> of(const std::filesystem::path& root);
  Watch(Watch&& other) noexcept;
  Watch& operator=(Watch&&) = delete;
  ~Watch();

  int fd() const { return fd_; }
  // After fd() was readable: takes what happened and waits until nothing more does. False: nothing
  // that matters, or told to stop.
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

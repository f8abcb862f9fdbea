// tools/gantry/dev/own_host.hpp: a gantryd that runs as long as this program.
//
// Main thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/gantry/dev/child.hpp"

namespace gantry::cli {

class OwnHost {
 public:
  // Starts the gantryd beside this program with a state of its own, serving at `listen`, and waits
  // until it is ready. `flags` are more flags for it. GANTRY_NOT_FOUND: it did not get ready.
  static Result<std::unique_ptr<OwnHost>> start(const std::string& listen,
                                                const std::vector<std::string>& flags,
                                                const Stop& stop,
                                                const std::string& log_level = "warn");
  // Stops it and removes its state.
  ~OwnHost();
  OwnHost(const OwnHost&) = delete;
  OwnHost& operator=(const OwnHost&) = delete;

  std::string control() const { return directory_ + "/control.sock"; }
  const std::string& url() const { return url_; }
  const Child& process() const { return *child_; }

 private:
  explicit OwnHost(std::string directory) : directory_(std::move(directory)) {}
  Status read_ready(const Stop& stop);

  const std::string directory_;  // private, in the directory for temporary files
  std::string url_;
  std::unique_ptr<Child> child_;
};

}  // namespace gantry::cli

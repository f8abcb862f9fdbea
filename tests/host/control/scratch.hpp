// A private directory with a short name, gone with the test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace gantry::host::control {

class Scratch {
 public:
  Scratch() {
    char name[] = "/tmp/gantry-control-XXXXXX";
    path_ = ::mkdtemp(name);
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::filesystem::path path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace gantry::host::control

// tools/gantry/dev/build.hpp: finds the build tool of a project, its commands and the built file.
//
// Main thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gantry/result.hpp>

namespace gantry::cli {

struct Build {
  std::filesystem::path root;
  std::string tool;                  // "cmake", "cargo" or "make"
  std::filesystem::path made;        // the folder that the build writes to
  std::vector<std::string> folders;  // where the .so is, below root; the first that has one

  // The commands of one build, in order; preparing ones are included only when needed.
  std::vector<std::vector<std::string>> commands() const;
  // The one .so that the build made; an error when there is none or more than one.
  Result<std::filesystem::path> product() const;
};

// Chosen by the files in the folder: CMakeLists.txt, Cargo.toml or a Makefile, in this order.
Result<Build> detect_build(const std::filesystem::path& root);

}  // namespace gantry::cli

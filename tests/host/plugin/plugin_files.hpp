// tests/host/plugin/plugin_files.hpp: the fixtures' files and what this process has mapped.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "host/plugin/sealed_file.hpp"
#include "tests/host/base/files.hpp"

namespace gantry::host::testing {

namespace fs = std::filesystem;

inline fs::path fixture(const std::string& name) {
  return fs::path(GANTRY_BINARY_DIR) / "fixtures" / (name + ".so");
}

// Its bytes in a memory file that was never mapped.
inline SealedFilePtr sealed(const fs::path& file) {
  auto made = SealedFile::of(read_all(file));
  EXPECT_TRUE(made) << made.message();
  return made ? *made : nullptr;
}

// Of the libraries that are mapped into this process.
inline std::set<std::string> mapped_inodes() {
  std::set<std::string> inodes;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream fields(line);
    std::string addresses, rights, offset, device, inode, name;
    fields >> addresses >> rights >> offset >> device >> inode >> name;
    if (name == "/memfd:gantry-plugin") inodes.insert(inode);
  }
  return inodes;
}

}  // namespace gantry::host::testing

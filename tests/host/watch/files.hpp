// tests/host/watch/files.hpp: a fresh directory, and files in it.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace gantry::host::testing {

namespace fs = std::filesystem;

class Directory {
 public:
  Directory() {
    std::string name = (fs::temp_directory_path() / "gantry_watch_XXXXXX").string();
    path_ = fs::canonical(::mkdtemp(name.data()));
  }
  ~Directory() { fs::remove_all(path_); }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  fs::path operator/(std::string_view name) const { return path_ / name; }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

inline void write(const fs::path& file, std::string_view text) { std::ofstream(file) << text; }

}  // namespace gantry::host::testing

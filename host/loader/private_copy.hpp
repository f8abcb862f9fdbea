// host/loader/private_copy.hpp: the files that are really loaded.
//
// The C library finds a loaded library by its name and maps the file it is given. So what is
// loaded is a copy with a name that is never used twice, in a directory of our own: nobody
// overwrites it while it is mapped, and a new version is never mistaken for the old one.
// Control thread.
#pragma once

#include <filesystem>
#include <string_view>

#include <gantry/result.hpp>

namespace gantry::host {

class PrivateDirectory {
 public:
  // Makes the directory (mode 0700) where it is missing and removes copies that processes left
  // behind which are gone. Refuses a directory that others can write.
  static Result<PrivateDirectory> open(std::filesystem::path path);

  // Writes `bytes` into a new file, g<counter>-<pid>.so.
  Result<std::filesystem::path> add(std::string_view bytes) const;

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit PrivateDirectory(std::filesystem::path path) : path_(std::move(path)) {}
  void sweep() const;

  std::filesystem::path path_;
};

}  // namespace gantry::host

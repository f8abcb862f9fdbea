// journal/locked_file.hpp: a file of the server's own that several processes read and change.
//
// Errors are sentences that name the file without its directory. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <gantry/result.hpp>

namespace gantry::data {

class LockedFile {
 public:
  explicit LockedFile(std::string path) : path_(std::move(path)) {}
  ~LockedFile();
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;

  // Makes the file with mode 0600 where it is missing.
  Status open();
  // Whether the file is still the one at the path: it may have been removed by hand.
  bool is_there() const;
  const std::string& path() const { return path_; }

  // Waits for other users of the file, some seconds at most. The end of the process unlocks it.
  Status lock();
  void unlock();

  Result<bool> is_empty() const;
  // GANTRY_NOT_FOUND: the file ends before.
  Status read(std::uint64_t at, void* to, std::size_t size) const;
  // The process may end in a write, but not in one of fewer bytes than a page has, within a page.
  Status write(std::uint64_t at, std::string_view bytes);
  // With zeros.
  Status overwrite(std::uint64_t at, std::uint64_t size);
  Status failure(const std::string& why) const;

 private:
  std::string name() const { return path_.substr(path_.rfind('/') + 1); }

  const std::string path_;
  int fd_ = -1;
  std::uint64_t inode_ = 0;
};

}  // namespace gantry::data

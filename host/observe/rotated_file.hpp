// host/observe/rotated_file.hpp (private): an appended file that is rotated by size and by day.
//
// One thread at a time. No function throws but for std::bad_alloc.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include <gantry/status.hpp>

namespace gantry::host {

class RotatedFile {
 public:
  using Time = std::chrono::system_clock::time_point;

  RotatedFile(std::filesystem::path path, std::size_t keep, std::size_t max_bytes)
      : path_(std::move(path)), keep_(keep), max_bytes_(max_bytes) {}
  ~RotatedFile();
  RotatedFile(const RotatedFile&) = delete;
  RotatedFile& operator=(const RotatedFile&) = delete;

  // Opens the file for appending, or makes it with the mode 0600. Does nothing if it is open. An
  // error is a sentence with the path.
  Status open();
  // Appends `lines`, whole lines with their breaks, after a rotation if `now` is a later day than
  // that of the file, or if they do not fit. On an error the file holds none of them.
  Status append(std::string_view lines, Time now);
  // Writes to the disk what was appended.
  void sync() const;
  std::size_t max_bytes() const { return max_bytes_; }

 private:
  Status rotate();
  Status write_whole(std::string_view lines);
  Status fault(const char* what) const;
  std::filesystem::path numbered(std::size_t n) const;
  void close();

  const std::filesystem::path path_;
  const std::size_t keep_, max_bytes_;
  int fd_ = -1;
  off_t size_ = 0;
  std::int64_t day_ = 0;  // of the latest line
};

}  // namespace gantry::host

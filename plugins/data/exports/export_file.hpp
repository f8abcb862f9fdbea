// exports/export_file.hpp: one export on disk, written once and then read in parts.
//
// The file is in the given directory but has no name there; destroying the object frees it.
// append() and finish() are for one thread; afterwards read() may be called by any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

namespace gantry::data {

struct FileBounds {
  std::size_t part_bytes = 512u << 10;    // upper limit of a part
  std::uint64_t most_bytes = 1ull << 30;  // upper limit of a file
};

class ExportFile {
 public:
  // GANTRY_FAILED: the directory cannot be made or written; the operator's fault.
  static Result<std::unique_ptr<ExportFile>> create(const std::string& directory,
                                                    const FileBounds& bounds);
  ~ExportFile();
  ExportFile(const ExportFile&) = delete;
  ExportFile& operator=(const ExportFile&) = delete;

  // `text` is UTF-8 and should end at the end of a row: a part ends at the end of a text, except
  // where a text is longer than a part. GANTRY_TOO_BIG: the file would exceed most_bytes;
  // GANTRY_FAILED: the disk.
  Status append(std::string_view text);

  std::uint64_t bytes() const { return bytes_; }
  // At least one; the first may be empty.
  std::size_t parts() const { return starts_.size(); }
  // Where each part begins, in bytes.
  const std::vector<std::uint64_t>& starts() const { return starts_; }
  // `part` counts from 0. GANTRY_NOT_FOUND: no such part; GANTRY_FAILED: the disk.
  Result<std::string> read(std::size_t part) const;

 private:
  ExportFile(int file, const FileBounds& bounds) : file_(file), bounds_(bounds) {}
  Status write(std::string_view text);

  const int file_;
  const FileBounds bounds_;
  std::uint64_t bytes_ = 0;
  std::vector<std::uint64_t> starts_ = {0};  // of the parts
};

}  // namespace gantry::data

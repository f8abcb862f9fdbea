// host/worker/temporary.hpp: the private temporary directories of workers.
//
// One directory a worker process, of mode 0700, removed with all that is in it when the process is
// gone. Directories of hosts that have ended are removed when another host begins.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>

#include <gantry/result.hpp>

namespace gantry::host {

// The files of a temporary directory; or files that were removed from it and are still open or
// mapped.
struct DiskUse {
  std::uint64_t bytes = 0;  // as the disk has them: holes take none
  std::size_t files = 0;    // and directories
};

// One directory; the destructor removes it. Any thread, one at a time.
class TemporaryDirectory {
 public:
  explicit TemporaryDirectory(std::filesystem::path path) : path_(std::move(path)) {}
  ~TemporaryDirectory() { remove(); }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // False when another process has removed it.
  bool is_there() const;
  // Stops counting beyond `most` files, or below kDepth directories, which counts as more than
  // `most`. Makes directories readable that are not.
  DiskUse use(std::size_t most) const;
  // With all that is in it, however deep. No process may write there meanwhile.
  void remove() noexcept;

  static constexpr int kDepth = 32;

 private:
  const std::filesystem::path path_;
  bool removed_ = false;
};

// Where they are made. One thread.
class TemporaryRoot {
 public:
  // `root` is made if it is missing; empty: the system's directory for temporary files.
  explicit TemporaryRoot(std::filesystem::path root);

  Result<std::unique_ptr<TemporaryDirectory>> make();

 private:
  void sweep() const;

  const std::filesystem::path root_;
};

}  // namespace gantry::host

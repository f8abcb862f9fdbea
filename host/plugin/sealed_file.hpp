// host/plugin/sealed_file.hpp: the bytes of a plugin's file that are checked, hashed and loaded.
//
// A memory file (memfd_create) whose seals forbid writing, shrinking, growing and further seals: no
// process, not one of the same user and not root, can change it once it is made. It has no name in
// any directory. What is hashed, verified and mapped is this file, in this process and in workers.
//
// The bytes never change; any thread.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string_view>

#include <gantry/result.hpp>

#include "host/base/unique_fd.hpp"

namespace gantry::host {

class SealedFile;
using SealedFilePtr = std::shared_ptr<const SealedFile>;

class SealedFile {
 public:
  // A mapping of the whole file for reading. It keeps the pages of the file in this process's
  // resident memory, so hold it only as long as the bytes are looked at.
  class Bytes {
   public:
    Bytes(const char* data, std::size_t size) : data_(data), size_(size) {}
    ~Bytes();
    Bytes(Bytes&& other) noexcept;
    Bytes& operator=(Bytes&&) = delete;
    std::string_view view() const { return {data_, size_}; }

   private:
    const char* data_;
    std::size_t size_;
  };

  // A new file with these bytes. Each has an inode of its own, also with the same bytes: the
  // dynamic linker takes two files for two libraries. The error says what this system lacks.
  static Result<SealedFilePtr> of(std::string_view bytes);
  // One with the bytes that `fill` gives its argument, piece by piece. An error of `fill` is
  // returned.
  using Append = std::function<Status(std::string_view)>;
  static Result<SealedFilePtr> of(const std::function<Status(const Append&)>& fill);
  // Takes over `fd`, which a parent process left open, and refuses a file that lacks a seal.
  static Result<SealedFilePtr> adopt(int fd);

  // Close-on-exec; open as long as this object is.
  int fd() const { return fd_.get(); }
  Result<Bytes> read() const;
  // A file with the same bytes and another inode.
  Result<SealedFilePtr> copy() const;
  // Whether a library of this process was loaded from it and is not gone. Set by Library alone.
  bool is_loaded() const { return loaded_; }
  void set_loaded(bool loaded) const { loaded_ = loaded; }

 private:
  explicit SealedFile(int fd) : fd_(fd) {}

  UniqueFd fd_;
  mutable std::atomic<bool> loaded_ = false;
};

}  // namespace gantry::host

// tools/gantry/import/input.hpp: the bytes of a file, in order, with lines counted.
//
// Standard input is copied into a temporary file without a name first, since a new class needs its
// rows twice. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

namespace gantry::cli::importing {

// Told before each part of standard input is read how much there was; false stops it.
using Watch = std::function<bool(std::uint64_t bytes, std::uint64_t all)>;

class Input {
 public:
  // `path` as the operator wrote it; "-" is standard input. GANTRY_INVALID_ARGUMENT: it cannot be
  // read, is a folder, is empty, or is UTF-16. A UTF-8 mark at the beginning is skipped.
  static Result<Input> open(const std::string& path, const Watch& watch);
  Input(Input&& other) noexcept;
  Input& operator=(Input&&) = delete;
  ~Input();

  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }
  std::uint64_t position() const { return position_; }  // bytes taken, the mark included
  std::size_t line() const { return line_; }            // of the next byte, from 1

  char peek() { return at_ < end_ || fill() ? buffer_[at_] : '\0'; }
  bool at_end() { return at_ == end_ && !fill(); }
  char take();
  // Up to and including the next line feed, without copying; what is longer than a buffer comes in
  // parts. Empty at the end.
  std::string_view take_some_line();
  void rewind();
  // Not fine once reading failed.
  const Status& status() const { return status_; }

 private:
  Input(std::string name, int fd) : name_(std::move(name)), fd_(fd) {}
  Status prepare();
  bool fill();

  std::string name_;
  int fd_ = -1;
  std::uint64_t size_ = 0, position_ = 0;
  std::size_t line_ = 1, at_ = 0, end_ = 0;
  std::size_t mark_ = 0;  // bytes of the UTF-8 mark
  std::vector<char> buffer_;
  Status status_;
};

}  // namespace gantry::cli::importing

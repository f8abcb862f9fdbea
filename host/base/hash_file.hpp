// host/base/hash_file.hpp: a bounded set of SHA-256 hashes that outlives the process.
//
// A file of 64 lower-case hex digits a line, the oldest first. A file that cannot be read, or
// holds anything else, counts as empty. One thread at a time.
#pragma once

#include <cstddef>
#include <deque>
#include <filesystem>
#include <string>

namespace gantry::host {

class HashFile {
 public:
  // Remembers at most `most` hashes, at least 8.
  HashFile(std::filesystem::path file, std::size_t most);

  bool has(const std::string& hash) const;
  // Beyond the bound the oldest eighth is forgotten at once: the file is written anew only then,
  // else it becomes one line longer. What cannot be written is tried again next time.
  void add(const std::string& hash);

 private:
  bool append(const std::string& hash) const;
  bool write() const;

  const std::filesystem::path file_;
  const std::size_t most_;
  std::deque<std::string> hashes_;
  bool is_in_file_ = false;  // all of hashes_, and nothing else
};

}  // namespace gantry::host

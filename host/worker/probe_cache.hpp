// host/worker/probe_cache.hpp: which trials have passed, kept over restarts of the host.
//
// A file of hashes, one a line, the oldest first. One that cannot be read, or holds anything else,
// counts as empty. One thread at a time.
#pragma once

#include <deque>
#include <filesystem>
#include <string>

#include "host/plugin/generation.hpp"

namespace gantry::host {

class ProbeCache {
 public:
  static constexpr std::size_t kMost = 512, kForgotten = 64;

  explicit ProbeCache(std::filesystem::path file);

  // Of the file's bytes, the operator's settings for the plugin, and this host's version.
  static std::string key_of(const Origin& origin);

  bool has(const std::string& key) const;
  // Beyond kMost the oldest are forgotten, kForgotten at once: the file is written anew only then,
  // else it becomes one line longer. What cannot be written is tried again next time.
  void add(const std::string& key);

 private:
  bool append(const std::string& key) const;
  bool write() const;

  const std::filesystem::path file_;
  std::deque<std::string> keys_;
  bool is_in_file_ = false;  // all of keys_, and nothing else
};

}  // namespace gantry::host

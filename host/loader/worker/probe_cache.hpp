// host/loader/worker/probe_cache.hpp: which trials have passed, kept over restarts of the host.
//
// A file of hashes, one a line, the oldest first. One that cannot be read, or holds anything else,
// counts as empty. One thread at a time.
#pragma once

#include <deque>
#include <filesystem>
#include <string>

#include "host/loader/generation.hpp"

namespace gantry::host {

class ProbeCache {
 public:
  static constexpr std::size_t kMost = 512;

  explicit ProbeCache(std::filesystem::path file);

  // Of the file's bytes, of what the operator says about the plugin, and of this host's version.
  static std::string key_of(const Origin& origin);

  bool has(const std::string& key) const;
  // Beyond kMost the oldest is forgotten. What cannot be written is tried again next time.
  void add(const std::string& key);

 private:
  void write() const;

  const std::filesystem::path file_;
  std::deque<std::string> keys_;
};

}  // namespace gantry::host

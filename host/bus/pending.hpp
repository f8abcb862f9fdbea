// host/bus/pending.hpp: notifications that wait for a client which reads slowly.
//
// A notification replaces a waiting one of the same key. Not thread-safe.
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

namespace gantry::host {

class Pending {
 public:
  // At most `most` messages wait at once.
  explicit Pending(std::size_t most) : most_(most) {}
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;

  // Adds a message, or replaces the waiting one of the same key, in its place. False: `most`
  // messages wait and none has this key; nothing was changed.
  bool put(std::string_view key, std::string message);
  // The oldest, which must exist.
  std::string take();
  void clear();

  bool empty() const { return waiting_.empty(); }
  std::size_t size() const { return waiting_.size(); }

 private:
  struct Entry {
    std::string key, message;
  };
  using Entries = std::list<Entry>;

  const std::size_t most_;
  Entries waiting_;
  std::unordered_map<std::string_view, Entries::iterator> by_key_;  // of the entries' keys
};

}  // namespace gantry::host

// host/observe/feed.hpp: the latest audit records in memory, for operators that search or follow.
//
// What is added may have a packed form, from which the JSON is made when it is read.
//
// A follower keeps the number of the last record that it saw and asks for later ones when it is
// told that there are some; a call waits for it no longer than for that. When more than `kept`
// records came meanwhile, the follower misses those between. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/base/change_signal.hpp"

namespace gantry::host {

struct FeedRecord {
  std::uint64_t number = 0;  // 1, 2, 3, … of this process
  std::shared_ptr<const std::string> json;
};

class Feed {
 public:
  // Makes the JSON, one object on one line, from what was added. Any thread.
  using Text = std::function<std::string(std::string_view packed)>;

  // An empty `text`: what is added is JSON.
  explicit Feed(std::size_t kept = 4096, Text text = {});

  // Adds one record. Throws std::bad_alloc.
  void add(std::string packed);
  void add(std::shared_ptr<const std::string> packed);

  // The records after `number`, the oldest first, at most `most`.
  std::vector<FeedRecord> after(std::uint64_t number, std::size_t most) const;
  // All that are kept, the oldest first.
  std::vector<FeedRecord> all() const { return after(0, kept_); }
  // Number of the newest record; 0 before the first.
  std::uint64_t newest() const;
  // Raised after each add().
  ChangeSignal& added() const { return added_; }

  // The number as text that no other process gives: "PREFIX-NUMBER".
  std::string cursor(std::uint64_t number) const;
  // The number in it; nothing for a cursor of another process, or another text.
  std::optional<std::uint64_t> number_of(std::string_view cursor) const;

 private:
  const std::size_t kept_;
  const Text text_;
  const std::string prefix_;
  mutable ChangeSignal added_;
  mutable std::mutex mutex_;  // of the members below
  std::uint64_t newest_ = 0;
  std::deque<std::shared_ptr<const std::string>> records_;  // the last one is `newest_`
};

}  // namespace gantry::host

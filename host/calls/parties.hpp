// host/calls/parties.hpp (private): counts the running calls of each group of callers and admits
// new ones.
//
// Calls are counted in groups. A party (a credential, or without one the peer's address) is one
// group. If a party distinguishes its clients, each of the first kApart clients with calls under
// way is a group of its own, and all others of that party are one more. So neither many connections
// nor many sessions take the places of other parties.
//
// Up to `max_running` calls run. As long as calls of another group run, one group holds at most
// three quarters of them. When all places are taken, a group that holds less than an equal part of
// them is admitted beyond the bound, up to a quarter more in all. This is needed because a group
// that was alone may hold every place, and its calls cannot be preempted. Any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "host/base/fair_queue.hpp"

namespace gantry::host {

class Parties {
 public:
  static constexpr std::size_t kApart = 32;
  // The most groups without calls that are kept, so that a caller's group is not made anew for each
  // call.
  static constexpr std::size_t kMostIdle = 256;

  explicit Parties(int max_running) : max_running_(max_running) {}

  // Counts one more call. `client` 0: the party does not distinguish its clients. Nothing: busy.
  // Throws std::bad_alloc; then nothing was counted.
  std::optional<GroupId> enter(std::string_view party, std::uint64_t client);
  // A call of this group has ended.
  void leave(GroupId group);

  int running() const { return running_.load(std::memory_order_relaxed); }
  // Groups kept, idle ones included.
  std::size_t groups() const;

 private:
  struct Party;
  struct Group {
    Party* party = nullptr;
    std::uint64_t client = 0;
    int running = 0;
  };
  struct Party {
    std::map<std::uint64_t, GroupId> groups;  // by client
    std::size_t active = 0;                   // clients' groups with calls
  };
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  GroupId group_of(std::string_view party, std::uint64_t client);
  bool has_place(const Group& group) const;
  void forget_idle();

  const int max_running_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Party, TextHash, std::equal_to<>> parties_;
  std::unordered_map<GroupId, Group> groups_;
  std::size_t active_ = 0;  // groups with calls
  GroupId last_ = 0;
  std::atomic<int> running_{0};  // written under mutex_
};

}  // namespace gantry::host

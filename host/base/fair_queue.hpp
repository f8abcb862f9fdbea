// host/base/fair_queue.hpp: a queue that groups share, served in turn.
//
// The next piece is one of the group with the fewest pieces under way; among equals, of the group
// whose turn has waited longest. Within a group the order is first in, first out. A group is a
// number; its record is kept while it has a piece queued or under way. Besides, at most kMostIdle
// records of idle groups are kept for their next piece. take() needs time in proportion to the
// number of groups with queued pieces. Not thread-safe: the owner holds a lock.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gantry::host {

// A group of callers, whose calls share threads and places with those of other groups. 0: no
// caller.
using GroupId = std::uint64_t;

template <class Work>
class FairQueue {
 public:
  using Time = std::chrono::steady_clock::time_point;

  static constexpr std::size_t kMostIdle = 64;

  // A piece that is under way.
  struct Taken {
    GroupId group = 0;
    Time since;  // the `now` of its push()
    Work work;
  };

  // Queues a piece at the end of its group. `now` only counts for overdue(). Throws std::bad_alloc.
  void push(GroupId group, Work work, Time now = {}) {
    const auto [place, is_new] = records_.try_emplace(group);
    Record& record = place->second;
    if (record.queued.empty()) {
      if (!is_new && record.running == 0) --idle_;
      record.turn = ++turns_;
      record.group = group;
      waiting_.push_back(&record);
    }
    record.queued.emplace_back(now, std::move(work));
    ++size_;
  }

  // Removes the next piece, which is under way until done(). The queue must not be empty.
  Taken take() {
    const auto next = this->next();
    Record& record = **next;
    Taken taken{record.group, record.queued.front().first, std::move(record.queued.front().second)};
    record.queued.pop_front();
    ++record.running;
    --size_;
    if (record.queued.empty()) {
      *next = waiting_.back();
      waiting_.pop_back();
    } else {
      record.turn = ++turns_;
    }
    return taken;
  }

  // Removes the first queued piece of `group` that equals `work`, if there is one.
  void remove(GroupId group, const Work& work) {
    const auto place = records_.find(group);
    if (place == records_.end()) return;
    Record& record = place->second;
    const auto found = std::find_if(record.queued.begin(), record.queued.end(),
                                    [&](const auto& entry) { return entry.second == work; });
    if (found == record.queued.end()) return;
    record.queued.erase(found);
    --size_;
    if (!record.queued.empty()) return;
    std::erase(waiting_, &record);
    if (record.running == 0) become_idle();
  }

  // Ends a piece of `group` that take() has returned. Call it once for each.
  void done(GroupId group) {
    Record& record = records_.at(group);
    if (--record.running == 0 && record.queued.empty()) become_idle();
  }

  // Queued pieces of all groups, without those under way.
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  // Pieces under way of the group whose turn it is. The queue must not be empty.
  std::size_t running_of_next() const { return (*next())->running; }

  // Groups with fewer than `running` pieces under way whose first piece was queued at `before` or
  // earlier.
  std::size_t overdue(std::size_t running, Time before) const {
    return static_cast<std::size_t>(
        std::count_if(waiting_.begin(), waiting_.end(), [&](const Record* record) {
          return record->running < running && record->queued.front().first <= before;
        }));
  }

  // Records kept, idle ones included.
  std::size_t records() const { return records_.size(); }

 private:
  struct Record {
    GroupId group = 0;
    std::size_t running = 0;
    std::uint64_t turn = 0;
    std::deque<std::pair<Time, Work>> queued;
  };

  static bool is_before(const Record* a, const Record* b) {
    return std::pair(a->running, a->turn) < std::pair(b->running, b->turn);
  }
  auto next() { return std::min_element(waiting_.begin(), waiting_.end(), is_before); }
  auto next() const { return std::min_element(waiting_.begin(), waiting_.end(), is_before); }

  void become_idle() {
    if (++idle_ > kMostIdle) forget_idle();
  }
  void forget_idle() {
    std::erase_if(records_, [](const auto& entry) {
      return entry.second.running == 0 && entry.second.queued.empty();
    });
    idle_ = 0;
  }

  std::unordered_map<GroupId, Record> records_;  // its nodes have stable addresses
  std::vector<Record*> waiting_;                 // records with queued pieces
  std::size_t size_ = 0;
  std::size_t idle_ = 0;  // records without a piece queued or under way
  std::uint64_t turns_ = 0;
};

}  // namespace gantry::host

// host/base/strand.hpp: lets one piece of work in at a time and queues the rest.
//
// Nothing waits in here: the piece that leaves takes out the next one and runs it or hands it on.
// The next one is of the group whose turn has waited longest (fair_queue.hpp). The owner of the
// moment is known by a tag, so that a caller can see that it would wait for itself. Any thread.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "host/base/fair_queue.hpp"

namespace gantry::host {

class Strand {
 public:
  using Work = std::function<void()>;

  // True: the strand is yours now, run your work and then call leave(). False: `work` was queued
  // for `group`; the piece that leaves before it gets it from leave(), and it owns the strand when
  // it runs.
  bool enter(const void* owner, GroupId group, Work work) {
    std::lock_guard lock(mutex_);
    if (owner_ != nullptr) {
      waiting_.push(group, {owner, std::move(work)});
      return false;
    }
    owner_ = owner;
    return true;
  }

  // Gives the strand up. A returned piece of work owns it already: run it, then leave() again.
  [[nodiscard]] std::optional<Work> leave() {
    std::lock_guard lock(mutex_);
    owner_ = nullptr;
    if (waiting_.empty()) return std::nullopt;
    auto next = waiting_.take();
    waiting_.done(next.group);
    owner_ = next.work.first;
    return std::move(next.work.second);
  }

  // The tag of the piece inside, or null. A snapshot: it may change at once.
  const void* owner() const {
    std::lock_guard lock(mutex_);
    return owner_;
  }

 private:
  mutable std::mutex mutex_;
  const void* owner_ = nullptr;
  FairQueue<std::pair<const void*, Work>> waiting_;
};

}  // namespace gantry::host

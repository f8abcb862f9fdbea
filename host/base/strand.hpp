// host/base/strand.hpp: runs one piece of work at a time and queues the rest.
//
// No thread blocks here: the thread that leaves gets the next piece and runs it or passes it on.
// Groups take turns (fair_queue.hpp). A tag identifies the current owner, so that a caller can
// detect that it would wait for itself. Any thread; no work runs under the lock. Throws only
// std::bad_alloc.
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

  // True: the caller owns the strand, runs its work and then calls leave(). False: `work` was
  // queued for `group`. The owner before it gets it from leave(); it owns the strand when it runs.
  // `owner` is the tag, not null; it is only compared.
  bool enter(const void* owner, GroupId group, Work work) {
    std::lock_guard lock(mutex_);
    if (owner_ != nullptr) {
      waiting_.push(group, {owner, std::move(work)});
      return false;
    }
    owner_ = owner;
    return true;
  }

  // Releases the strand. A returned piece of work already owns it: run it, then call leave() again.
  [[nodiscard]] std::optional<Work> leave() {
    std::lock_guard lock(mutex_);
    owner_ = nullptr;
    if (waiting_.empty()) return std::nullopt;
    auto next = waiting_.take();
    waiting_.done(next.group);
    owner_ = next.work.first;
    return std::move(next.work.second);
  }

  // The tag of the current owner, or null. It may change at once.
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

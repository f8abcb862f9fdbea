// host/base/strand.hpp: lets one piece of work in at a time and queues the rest.
//
// Nobody waits in here: whoever leaves takes out the next piece and runs it or hands it on. The
// owner of the moment is known by a tag, so that a caller can see that it would wait for itself.
// Any thread.
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

namespace gantry::host {

class Strand {
 public:
  using Work = std::function<void()>;

  // True: the strand is yours now, run your work and then call leave(). False: `work` was queued;
  // whoever leaves before it gets it from leave(), and it owns the strand when it runs.
  bool enter(const void* owner, Work work) {
    std::lock_guard lock(mutex_);
    if (owner_ != nullptr) {
      waiting_.emplace_back(owner, std::move(work));
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
    auto [owner, work] = std::move(waiting_.front());
    waiting_.pop_front();
    owner_ = owner;
    return std::move(work);
  }

  // The tag of whoever is inside, or null. A snapshot: it may change at once.
  const void* owner() const {
    std::lock_guard lock(mutex_);
    return owner_;
  }

 private:
  mutable std::mutex mutex_;
  const void* owner_ = nullptr;
  std::deque<std::pair<const void*, Work>> waiting_;
};

}  // namespace gantry::host

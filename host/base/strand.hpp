// host/base/strand.hpp: lets one piece of work in at a time and queues the rest.
//
// Nobody waits: whoever finishes takes out the next piece and runs it or hands it on. Any thread.
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

  // True: the strand is yours now, run your work and then call leave(). False: `work` was queued
  // and whoever leaves before it will get it from leave().
  bool enter(Work work) {
    std::lock_guard lock(mutex_);
    if (busy_) {
      waiting_.push_back(std::move(work));
      return false;
    }
    return busy_ = true;
  }

  // True: the strand is yours now; false: it is in use and nothing was queued.
  bool try_enter() {
    std::lock_guard lock(mutex_);
    return busy_ ? false : (busy_ = true);
  }

  // Gives the strand up. A returned piece of work owns it already: run it, then leave() again.
  [[nodiscard]] std::optional<Work> leave() {
    std::lock_guard lock(mutex_);
    if (waiting_.empty()) {
      busy_ = false;
      return std::nullopt;
    }
    Work next = std::move(waiting_.front());
    waiting_.pop_front();
    return next;
  }

 private:
  std::mutex mutex_;
  std::deque<Work> waiting_;
  bool busy_ = false;
};

}  // namespace gantry::host

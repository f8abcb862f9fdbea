// host/base/change_signal.hpp: tells those that wait for a change that there was one.
//
// Any thread.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <utility>

namespace gantry::host {

class ChangeSignal {
 public:
  // `told` is called after each change until disconnect(), on the thread of the change and under a
  // lock: it must be quick, and must not use the signal.
  void connect(const void* owner, std::function<void()> told) {
    const std::lock_guard lock(mutex_);
    told_[owner] = std::move(told);
  }
  // Waits for a call that is under way.
  void disconnect(const void* owner) {
    const std::lock_guard lock(mutex_);
    told_.erase(owner);
  }
  void raise() {
    const std::lock_guard lock(mutex_);
    for (const auto& [owner, told] : told_) told();
  }

 private:
  std::mutex mutex_;
  std::map<const void*, std::function<void()>> told_;
};

}  // namespace gantry::host

// gantry/detail/cancel_hooks.hpp: callbacks for cancelled calls that can be taken back.
//
// The contract's on_cancel() may fire until the moment a call has ended, and only a call that lives
// can take it back; a hook may be dropped later than that. So the contract is given a number that
// is never used again; the number finds the callback here, or nothing any more.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace gantry::detail {

class CancelHooks {
 public:
  // One table for a library: a number must be found without any pointer that could dangle.
  static CancelHooks& of_this_library() {
    static CancelHooks hooks;
    return hooks;
  }

  void* add(std::function<void()> callback) {
    auto hook = std::make_shared<Hook>();
    hook->callback = std::move(callback);
    const std::lock_guard lock(mutex_);
    hooks_.emplace(++last_, std::move(hook));
    return reinterpret_cast<void*>(last_);
  }

  // Afterwards the callback is not running, unless on this very thread, and will not run.
  void remove(void* number) {
    std::shared_ptr<Hook> hook;
    {
      const std::lock_guard lock(mutex_);
      const auto found = hooks_.find(reinterpret_cast<std::uintptr_t>(number));
      if (found == hooks_.end()) return;
      hook = std::move(found->second);
      hooks_.erase(found);
    }
    const std::lock_guard running(hook->mutex);
    hook->armed = false;
  }

  // What the host is given as callback.
  static void fire(void* number) noexcept {
    std::shared_ptr<Hook> hook;
    {
      CancelHooks& all = of_this_library();
      const std::lock_guard lock(all.mutex_);
      const auto found = all.hooks_.find(reinterpret_cast<std::uintptr_t>(number));
      if (found == all.hooks_.end()) return;
      hook = found->second;
    }
    const std::lock_guard running(hook->mutex);
    if (!hook->armed) return;
    hook->armed = false;
    try {
      hook->callback();
    } catch (...) {  // nothing may unwind into the host, and nobody is left to tell
    }
  }

 private:
  struct Hook {
    std::recursive_mutex mutex;  // a callback may end the call and with it its own hook
    std::function<void()> callback;
    bool armed = true;
  };
  std::mutex mutex_;
  std::unordered_map<std::uintptr_t, std::shared_ptr<Hook>> hooks_;
  std::uintptr_t last_ = 0;
};

}  // namespace gantry::detail

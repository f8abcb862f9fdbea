// gantry/detail/cancel_hooks.hpp: callbacks for cancelled calls that can be removed at any time.
//
// The contract's on_cancel() may fire until the call has ended, and a registration can be removed
// only while the call is alive; but a hook may be destroyed later. So the contract gets a unique
// number as context, and this table maps the number to the callback, or to nothing after the hook
// was destroyed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace gantry::detail {

class CancelHooks {
 public:
  // One table per library: the lookup of a number must not need a pointer that could dangle.
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

  // After return the callback is not running, except on this thread, and will not run.
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

  // The callback that the host gets.
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
    } catch (...) {  // must not unwind into the host; there is no caller to report to
    }
  }

 private:
  struct Hook {
    // Recursive: a callback may end the call, which removes its own hook.
    std::recursive_mutex mutex;
    std::function<void()> callback;
    bool armed = true;
  };
  std::mutex mutex_;
  std::unordered_map<std::uintptr_t, std::shared_ptr<Hook>> hooks_;
  std::uintptr_t last_ = 0;
};

}  // namespace gantry::detail

#include "host/calls/tree.hpp"

#include <algorithm>

namespace gantry::host {

bool CallTree::kill(Death how) {
  Death expected = Death::none;
  if (!death_.compare_exchange_strong(expected, how)) return false;
  std::lock_guard lock(mutex_);
  while (!callbacks_.empty()) {
    const Callback callback = callbacks_.back();
    callbacks_.pop_back();
    callback.fn(callback.context);
  }
  return true;
}

gantry_status CallTree::on_cancel(const void* owner, void (*fn)(void*), void* context) {
  std::lock_guard lock(mutex_);
  if (dead()) {
    fn(context);
    return GANTRY_OK;
  }
  const auto mine = std::count_if(callbacks_.begin(), callbacks_.end(),
                                  [&](const Callback& c) { return c.owner == owner; });
  if (mine >= kMaxCallbacks) return GANTRY_TOO_BIG;
  callbacks_.push_back({owner, fn, context});
  registered_.store(1, std::memory_order_release);
  // kill() may have marked the tree between dead() above and this push; it still needs the lock
  // to run callbacks and will find this one.
  return GANTRY_OK;
}

void CallTree::reset() {
  death_.store(Death::none, std::memory_order_relaxed);
  registered_.store(0, std::memory_order_relaxed);
  callbacks_.clear();
}

void CallTree::forget(const void* owner) {
  if (registered_.load(std::memory_order_acquire) == 0) return;
  std::lock_guard lock(mutex_);
  std::erase_if(callbacks_, [&](const Callback& c) { return c.owner == owner; });
}

}  // namespace gantry::host

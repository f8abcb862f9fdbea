#include "sdk/contract/call_tree.hpp"

#include <algorithm>

namespace gantry::contract {

bool CallTree::mark(TreeState how) {
  TreeState expected = TreeState::active;
  return state_.compare_exchange_strong(expected, how);
}

void CallTree::run_callbacks() {
  std::lock_guard lock(mutex_);
  running_ = true;
  // Set before the callbacks run: a callback may wake a thread that polls this flag. That thread
  // then waits for the lock in off_cancel() or forget().
  callbacks_started_.store(true, std::memory_order_release);
  while (!callbacks_.empty()) {
    const Callback callback = callbacks_.back();
    callbacks_.pop_back();
    callback.fn(callback.context);
  }
  running_ = false;
  ran_.notify_all();
}

gantry_status CallTree::on_cancel(const void* owner, void (*fn)(void*), void* context) {
  std::lock_guard lock(mutex_);
  if (is_cancelled()) {
    fn(context);
    return GANTRY_OK;
  }
  const auto mine = std::count_if(callbacks_.begin(), callbacks_.end(),
                                  [&](const Callback& c) { return c.owner == owner; });
  if (mine >= kMaxCancelCallbacks) return GANTRY_TOO_BIG;
  callbacks_.push_back({owner, fn, context});
  registered_.store(1, std::memory_order_release);
  // mark() may have come between is_cancelled() above and this push; run_callbacks() still needs
  // the lock and will find this one.
  return GANTRY_OK;
}

gantry_status CallTree::off_cancel(const void* owner, void (*fn)(void*), void* context) {
  if (registered_.load(std::memory_order_acquire) == 0) return GANTRY_NOT_FOUND;
  std::lock_guard lock(mutex_);
  const auto latest = std::find_if(callbacks_.rbegin(), callbacks_.rend(), [&](const Callback& c) {
    return c.owner == owner && c.fn == fn && c.context == context;
  });
  if (latest == callbacks_.rend()) return GANTRY_NOT_FOUND;
  callbacks_.erase(std::next(latest).base());
  return GANTRY_OK;
}

void CallTree::reset() {
  state_.store(TreeState::active, std::memory_order_relaxed);
  callbacks_started_.store(false, std::memory_order_relaxed);
  registered_.store(0, std::memory_order_relaxed);
  callbacks_.clear();
}

void CallTree::forget(const void* owner) {
  if (registered_.load(std::memory_order_acquire) == 0) return;
  std::unique_lock lock(mutex_);
  const auto is_mine = [&](const Callback& c) { return c.owner == owner; };
  // The thread whose mark() succeeded is about to run the callbacks, so a call that saw the
  // cancellation by polling waits for them. If a callback ends its own call, forget() is entered
  // while they run; it then removes the remaining ones.
  if (!running_) {
    ran_.wait(lock, [&] {
      return !is_cancelled() || std::none_of(callbacks_.begin(), callbacks_.end(), is_mine);
    });
  }
  std::erase_if(callbacks_, is_mine);
}

}  // namespace gantry::contract

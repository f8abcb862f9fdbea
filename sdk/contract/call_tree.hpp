// sdk/contract/call_tree.hpp: the cancellation state that one client call and all its nested calls
// share.
//
// A tree is active until its client call is answered by the deadline or by a cancellation. It also
// holds the callbacks registered with on_cancel(). The call record owns it. Any thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <vector>

#include <gantry/abi/status.h>

#include "sdk/contract/limits.hpp"

namespace gantry::contract {

enum class TreeState : int { active, cancelled, timed_out };

class CallTree {
 public:
  bool is_cancelled() const { return state_.load(std::memory_order_acquire) != TreeState::active; }
  // True once cancellation callbacks have started. The contract's cancelled() reports this, so that
  // a plugin that polls cannot overtake its own callbacks: off_cancel() and forget() wait for them.
  bool callbacks_started() const { return callbacks_started_.load(std::memory_order_acquire); }
  TreeState state() const { return state_.load(std::memory_order_acquire); }

  // Cancels the tree. Only the first caller gets true; it must call run_callbacks() at once, on the
  // same thread. Later callers get false and change nothing.
  bool mark(TreeState how);
  // Runs the registered callbacks on the calling thread.
  void run_callbacks();

  // Registers a callback of `owner`. Runs it before returning if the tree is cancelled already.
  // GANTRY_TOO_BIG: the owner has 8 callbacks.
  gantry_status on_cancel(const void* owner, void (*fn)(void*), void* context);

  // Drops the latest callback of `owner` with this function and context; waits as forget().
  gantry_status off_cancel(const void* owner, void (*fn)(void*), void* context);

  // Makes the tree active again when its call record is reused. The caller must hold the only
  // reference to it.
  void reset();

  // Removes the callbacks of `owner`. On a cancelled tree it waits until they have run, except on
  // the thread that runs them.
  void forget(const void* owner);

 private:
  struct Callback {
    const void* owner;
    void (*fn)(void*);
    void* context;
  };

  std::atomic<TreeState> state_{TreeState::active};
  std::atomic<bool> callbacks_started_{false};
  std::atomic<int> registered_{0};  // spares forget() the lock when there never was a callback
  // Recursive: a callback may finish its call, which forgets its callbacks.
  std::recursive_mutex mutex_;
  std::vector<Callback> callbacks_;
  bool running_ = false;  // under mutex_
  std::condition_variable_any ran_;
};

}  // namespace gantry::contract

// host/calls/tree.hpp: what all calls under one client call share: its end.
//
// A tree is alive until its client call is answered by the deadline or a cancellation ("dead"), or
// until the call itself ended. on_cancel callbacks hang here. Any thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <vector>

#include <gantry/abi/status.h>

namespace gantry::host {

enum class Death : int { none, cancelled, timed_out };

class CallTree {
 public:
  bool dead() const { return death_.load(std::memory_order_acquire) != Death::none; }
  // Dead, and its callbacks run or have run: what a call that polls is told. off_cancel() and
  // forget() wait for them then, so nobody who polls prevents a callback.
  bool told() const { return told_.load(std::memory_order_acquire); }
  Death death() const { return death_.load(std::memory_order_acquire); }

  // From here on the tree is dead; the first caller wins, others return false and do nothing. The
  // winner calls run_callbacks() at once, on this thread.
  bool mark(Death how);
  // On this thread.
  void run_callbacks();

  // Registers a callback of `owner`; runs it at once when the tree is dead.
  gantry_status on_cancel(const void* owner, void (*fn)(void*), void* context);

  // Drops the latest callback of `owner` with this function and context; waits as forget().
  gantry_status off_cancel(const void* owner, void (*fn)(void*), void* context);

  // Alive again, for the next user of the record; nobody else may know of the tree.
  void reset();

  // Drops the callbacks of `owner`. Once the tree is dead it waits until they have run, except on
  // the thread that runs them.
  void forget(const void* owner);

 private:
  static constexpr int kMaxCallbacks = 8;
  struct Callback {
    const void* owner;
    void (*fn)(void*);
    void* context;
  };

  std::atomic<Death> death_{Death::none};
  std::atomic<bool> told_{false};
  std::atomic<int> registered_{0};  // spares forget() the lock when there never was a callback
  // Recursive: a callback may finish its call, which forgets its callbacks.
  std::recursive_mutex mutex_;
  std::vector<Callback> callbacks_;
  bool running_ = false;  // under mutex_
  std::condition_variable_any ran_;
};

}  // namespace gantry::host

// host/base/deferred_wakeups.hpp: lets a thread queue many pieces of work at the cost of one
// wake-up.
//
// While a DeferredWakeups exists, code on its thread that queues work for another thread (a
// mailbox) may defer waking that thread until the DeferredWakeups ends. The queued work is visible
// at once; only the wake-up is deferred. Keep the scope short and never wait inside it for the
// queued work.
//
// Lives on the stack of one thread. Inside another DeferredWakeups it does nothing.
#pragma once

#include <memory>
#include <vector>

namespace gantry::host {

// A thread's queue that can be woken.
class Wakeable {
 public:
  virtual ~Wakeable() = default;
  // The scope that this wake-up was deferred to has ended. Any thread.
  virtual void wake_up() noexcept = 0;
};

class DeferredWakeups {
 public:
  DeferredWakeups();
  ~DeferredWakeups();
  DeferredWakeups(const DeferredWakeups&) = delete;
  DeferredWakeups& operator=(const DeferredWakeups&) = delete;

  // True: the thread is inside such a scope; `queue` is woken once, at the end of the scope. False:
  // the thread is not inside one, or memory is short; the caller must wake the queue.
  static bool defer(std::shared_ptr<Wakeable> queue) noexcept;

 private:
  bool outer_;
  std::vector<std::shared_ptr<Wakeable>> queues_;
};

}  // namespace gantry::host

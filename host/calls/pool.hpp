// host/calls/pool.hpp: the threads that run plugins.
//
// A fixed number of threads works the queue, which callers share in groups (fair_queue.hpp): a
// group begins no more than half of them while another group waits that has fewer. A thread that is
// about to block makes a Waiting, and while it blocks one extra thread may work in its place, up to
// a bound; so a pool of one thread cannot stall on calls that wait for calls.
//
// A call cannot be taken off its thread. So when all threads are held and a piece of another group
// has waited for kPatience, threads are added for it, up to a bound (crew.hpp); they stay for
// kLinger after they were last needed. Any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "host/base/fair_queue.hpp"
#include "host/base/timer.hpp"
#include "host/calls/crew.hpp"

namespace gantry::host {

// With those of Waiting it has more than twenty methods: work arrives, waits and runs, and threads
// begin and end, under one lock.
class Pool {
 public:
  using Work = std::function<void()>;

  // A piece that has waited for kPatience is overdue; look() finds it at most kLook later.
  static constexpr std::chrono::milliseconds kPatience{75}, kLook{25};
  static constexpr std::chrono::milliseconds kLinger{2000};

  // `before_sleep` runs on a pool thread each time it finds nothing to do.
  Pool(PoolSize size, std::function<void()> before_sleep);
  // Runs the queued work, then joins the threads. No work may block for ever.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Queues a piece for `group`; it runs on a thread of the pool. The pool owns it until it has run.
  // It must not throw. Throws std::bad_alloc.
  void post(GroupId group, Work work);
  // Runs the queued work on the calling thread, even if all threads of the pool are busy. For work
  // that ends at once.
  void flush();
  // Pieces posted and not yet taken by a thread.
  std::size_t queued() const;
  // Pieces that had waited for kPatience or longer when a thread took them, since the start.
  std::uint64_t delayed() const;

  // Lives while its thread, of this pool or another, waits or blocks. Harmless on threads of no
  // pool.
  class Waiting {
   public:
    explicit Waiting(Pool& pool);
    ~Waiting();
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

   private:
    Pool& pool_;
    bool counted_;
  };

 private:
  using Clock = std::chrono::steady_clock;

  void run(bool extra);
  void work(std::unique_lock<std::mutex>& lock);
  bool sleep(std::unique_lock<std::mutex>& lock, bool extra);
  bool may_begin_locked() const;
  bool must_go_locked(bool extra) const;
  bool spread_locked();
  void look();
  void add_thread_locked();
  bool try_add_thread_locked();

  const std::function<void()> before_sleep_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  FairQueue<Work> queue_;
  Crew crew_;
  struct {
    bool waking = false;   // a thread was notified and has not yet taken the lock
    bool looking = false;  // the timer is set for look()
    bool stopping = false;
  } is_;
  Clock::time_point relieved_ = Clock::time_point::min();  // when extra threads were last needed
  std::uint64_t delayed_ = 0;
  std::vector<std::thread> all_;       // every thread started and not yet joined
  std::vector<std::thread::id> done_;  // of those, the extra ones that have ended
  std::optional<Timer> timer_{std::in_place};
};

}  // namespace gantry::host

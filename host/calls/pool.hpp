// host/calls/pool.hpp: the threads that run plugins.
//
// A fixed number of threads works the queue. A thread that is about to wait for something says so
// (Waiting), and while it waits one extra thread may work in its place, up to a bound; so a pool
// of one thread cannot stall on calls that wait for calls. Any thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace gantry::host {

class Pool {
 public:
  using Work = std::function<void()>;

  // `threads` at least 1; `extra` threads at most in place of waiting ones. `before_sleep` runs
  // on a pool thread each time it finds nothing to do.
  Pool(unsigned threads, unsigned extra, std::function<void()> before_sleep);
  // Runs what is queued, then joins. No thread may be waiting for ever.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  void post(Work work);
  // What is posted and not yet taken by a thread.
  std::size_t queued() const;

  // Alive while its thread, of this pool or another, waits or blocks. Off the threads of pools it
  // does nothing harmful.
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
  void run(bool extra);
  void sleep(std::unique_lock<std::mutex>& lock, bool extra);
  bool wants_help_locked();
  void add_thread_locked();
  bool surplus_locked() const;

  const unsigned threads_, max_extra_;
  const std::function<void()> before_sleep_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Work> queue_;
  unsigned alive_ = 0, idle_ = 0, waiting_ = 0;
  bool waking_ = false;  // a thread was notified and has not looked yet
  bool stopping_ = false;
  std::vector<std::thread> all_;       // every thread started and not yet joined
  std::vector<std::thread::id> done_;  // of those, the extra ones that have ended
};

}  // namespace gantry::host

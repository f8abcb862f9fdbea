// The threads that calls run on. An idle thread takes the next call: under a sanitizer a new
// thread costs more than most calls.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

namespace gantry::testing::detail {

// Any thread.
class CallThreads {
 public:
  CallThreads() = default;
  CallThreads(const CallThreads&) = delete;
  CallThreads& operator=(const CallThreads&) = delete;
  // Waits for what runs.
  ~CallThreads();

  // Runs `work` on a thread that does nothing else meanwhile. The future is ready at its end.
  std::future<void> run(std::function<void()> work);

  // The threads of all instances in this process: hosts may run beside each other.
  static std::size_t alive() { return alive_; }

 private:
  void work_on();

  std::mutex mutex_;  // of the members below
  std::condition_variable changed_;
  std::deque<std::packaged_task<void()>> waiting_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool leaving_ = false;
  static inline std::atomic<std::size_t> alive_ = 0;
};

}  // namespace gantry::testing::detail

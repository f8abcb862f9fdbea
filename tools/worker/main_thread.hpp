// tools/worker/main_thread.hpp: the work of the process's main thread, which runs the plugin's
// life.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace gantry::worker {

using Work = std::function<void()>;

class MainThread {
 public:
  // Any thread.
  void give(Work work);
  // Runs the work, in its order. On the main thread.
  [[noreturn]] void run();

 private:
  std::mutex mutex_;
  std::condition_variable has_work_;
  std::deque<Work> work_;
};

}  // namespace gantry::worker

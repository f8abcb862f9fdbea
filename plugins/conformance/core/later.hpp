// core/later.hpp: a thread for delayed steps, so that slow fixtures hold no thread of the host.
//
// Threads: repeat() from any; start() and stop() from the control thread. Steps run one at a time.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace conformance {

class Later {
 public:
  using Clock = std::chrono::steady_clock;
  // Returns false after its last run.
  using Step = std::function<bool()>;

  ~Later() { stop(); }

  void start();
  // Drops pending steps; returns when the thread has ended.
  void stop();

  // Runs `step` after `interval`, and again after each interval while it returns true.
  void repeat(std::chrono::milliseconds interval, Step step);

 private:
  struct Entry {
    std::chrono::milliseconds interval;
    Step step;
  };

  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::multimap<Clock::time_point, Entry> entries_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace conformance

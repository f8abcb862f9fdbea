// watch/ticker.hpp: a thread that repeats a task; each run returns the delay before the next one.
//
// Construct and destroy it on one thread; destruction joins the ticker's thread.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>

#include <gantry/result.hpp>

namespace gantry::data {

class Ticker {
 public:
  // The first run is after `first`. `task` returns the delay before the next run, at least a
  // millisecond, and must not throw. Errors: the process has no descriptor or thread left.
  static Result<std::unique_ptr<Ticker>> start(std::chrono::milliseconds first,
                                               std::function<std::chrono::milliseconds()> task);
  ~Ticker();
  // Runs the task now, in place of the rest of the delay. Any thread.
  void wake();
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

 private:
  Ticker(int wake, std::chrono::milliseconds first, std::function<std::chrono::milliseconds()> task)
      : wake_(wake), wait_(first), task_(std::move(task)) {}
  void run();

  const int wake_;  // an eventfd: becomes readable at the end and for wake()
  std::atomic<bool> ends_{false};
  std::chrono::milliseconds wait_;  // used by the ticker's thread only
  const std::function<std::chrono::milliseconds()> task_;
  std::thread thread_;
};

}  // namespace gantry::data

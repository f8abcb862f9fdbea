// watch/ticker.hpp: a thread that does one thing again and again, and is told each time when next.
//
// Made and ended by one thread; ending waits for the thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <thread>

#include <gantry/result.hpp>

namespace gantry::data {

class Ticker {
 public:
  // The first time after `first`; `task` says how long to wait then, a millisecond or more, and
  // must not throw. Errors: the process has no descriptor or thread left.
  static Result<std::unique_ptr<Ticker>> start(std::chrono::milliseconds first,
                                               std::function<std::chrono::milliseconds()> task);
  ~Ticker();
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

 private:
  Ticker(int wake, std::chrono::milliseconds first, std::function<std::chrono::milliseconds()> task)
      : wake_(wake), wait_(first), task_(std::move(task)) {}
  void run();

  const int wake_;                  // an eventfd: becomes readable at the end
  std::chrono::milliseconds wait_;  // of the thread
  const std::function<std::chrono::milliseconds()> task_;
  std::thread thread_;
};

}  // namespace gantry::data

// watch/ticker.hpp: a thread that does one thing every so often.
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
  // The first time after one interval, of a millisecond or more. `task` must not throw. Errors: the
  // process has no descriptor or thread left.
  static Result<std::unique_ptr<Ticker>> start(std::chrono::milliseconds interval,
                                               std::function<void()> task);
  ~Ticker();
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

 private:
  Ticker(int wake, std::chrono::milliseconds interval, std::function<void()> task)
      : wake_(wake), interval_(interval), task_(std::move(task)) {}
  void run();

  const int wake_;  // an eventfd: becomes readable at the end
  const std::chrono::milliseconds interval_;
  const std::function<void()> task_;
  std::thread thread_;
};

}  // namespace gantry::data

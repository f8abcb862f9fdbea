// host/stdio/output.hpp (private): lines to one descriptor from many threads, and how many answers
// are still to come.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>

#include "host/stdio/stdio.hpp"

namespace gantry::host {

class Stdio::Output {
 public:
  explicit Output(int fd) : fd_(fd) {}

  // One message; a peer that is gone is not an error.
  void line(std::string message);

  void expect_one() {
    std::lock_guard lock(mutex_);
    ++expected_;
  }
  void one_came() {
    std::lock_guard lock(mutex_);
    if (--expected_ == 0) none_left_.notify_all();
  }
  // False: some are still to come.
  bool wait_all(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    return none_left_.wait_for(lock, limit, [this] { return expected_ == 0; });
  }

 private:
  const int fd_;
  std::mutex write_mutex_, mutex_;
  std::condition_variable none_left_;
  int expected_ = 0;
};

}  // namespace gantry::host

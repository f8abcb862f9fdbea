// host/registry/slowness.hpp: whether an item that promised to be quick keeps its word.
//
// Any thread.
#pragma once

#include <atomic>
#include <chrono>

namespace gantry::host {

class Slowness {
 public:
  static constexpr std::chrono::milliseconds kSlow{1};

  // Counts a call; true when it was the one too many, which is said once.
  bool count(std::chrono::nanoseconds took) {
    if (took <= kSlow) {
      if (weight_.load(std::memory_order_relaxed) > 0) weight_.fetch_sub(1);
      return false;
    }
    const int before = weight_.fetch_add(kWeight);
    return before <= kAllowed && before + kWeight > kAllowed;
  }

  bool is_too_much() const { return weight_.load(std::memory_order_relaxed) > kAllowed; }

 private:
  // A slow call weighs this much and a quick one takes 1 off, so that an item that is interrupted
  // now and then on a busy machine is not taken for a slow one. Three in a row are too many.
  static constexpr int kWeight = 1000, kAllowed = 2 * kWeight;

  std::atomic<int> weight_{0};
};

}  // namespace gantry::host

// host/registry/inline_latency_guard.hpp: revokes the non_blocking status of items that are slow.
//
// It counts time that the item used or waited, not time in which the kernel ran other threads on
// its processor: on a busy machine every item would exceed the limit sometimes. Any thread.
#pragma once

#include <sys/resource.h>
#include <time.h>

#include <atomic>
#include <chrono>

namespace gantry::host {

class InlineLatencyGuard {
 public:
  static constexpr std::chrono::milliseconds kSlow{1};

  // Measures one call from its construction; on one thread.
  class Sample {
   public:
    explicit Sample(const InlineLatencyGuard& of)
        : looks_closely_(of.weight_.load(std::memory_order_relaxed) > 0) {
      if (looks_closely_) before_ = used();
      start_ = Clock::now();
    }
    // The duration of the call. If the thread never waited, its CPU time instead; that costs system
    // calls, so it is measured only for items that were slow recently.
    std::chrono::nanoseconds took() const {
      const std::chrono::nanoseconds all = Clock::now() - start_;
      if (!looks_closely_ || all <= kSlow) return all;
      const Used after = used();
      return after.waits == before_.waits ? after.time - before_.time : all;
    }

   private:
    using Clock = std::chrono::steady_clock;
    struct Used {
      std::chrono::nanoseconds time{0};
      long waits = 0;  // how often it gave the processor up
    };
    static Used used() {
      timespec time{};
      rusage usage{};
      ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
      ::getrusage(RUSAGE_THREAD, &usage);
      return {std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec),
              usage.ru_nvcsw};
    }

    bool looks_closely_;
    Used before_;
    Clock::time_point start_;
  };

  // Records a call; returns true once, when the item loses its non_blocking status.
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
  // A slow call adds kWeight and a quick one subtracts 1: one slow call in a thousand is allowed,
  // three in a row are too many.
  static constexpr int kWeight = 1000, kAllowed = 2 * kWeight;

  std::atomic<int> weight_{0};
};

}  // namespace gantry::host

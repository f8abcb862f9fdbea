// host/registry/slowness.hpp: whether an item that promised to be quick keeps its word.
//
// What counts is time that the item spent or waited, not time in which the kernel ran others on its
// thread's processor: on a busy machine every item would be slow now and then.
// Any thread.
#pragma once

#include <sys/resource.h>
#include <time.h>

#include <atomic>
#include <chrono>

namespace gantry::host {

class Slowness {
 public:
  static constexpr std::chrono::milliseconds kSlow{1};

  // A call, from when this is made; on one thread.
  class Stretch {
   public:
    explicit Stretch(const Slowness& of)
        : looks_closely_(of.weight_.load(std::memory_order_relaxed) > 0) {
      if (looks_closely_) before_ = used();
      start_ = Clock::now();
    }
    // How long it took; of one that only was interrupted, the time it had the processor for. Such a
    // close look costs system calls, so only those that were slow of late get one.
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
  // A slow call weighs this much and a quick one takes 1 off: one that is slow once in a thousand
  // times is not a slow one. Three in a row are too many.
  static constexpr int kWeight = 1000, kAllowed = 2 * kWeight;

  std::atomic<int> weight_{0};
};

}  // namespace gantry::host

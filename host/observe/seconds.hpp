// host/observe/seconds.hpp (private): a histogram of durations, with buckets from 1 ms to 60 s.
//
// Observing takes no lock and allocates nothing, so that threads that answer calls never wait for
// one another or for a scrape. Any thread.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include <prometheus/client_metric.h>

namespace gantry::host {

class Seconds {
 public:
  void observe(std::chrono::nanoseconds took) {
    const double seconds = std::chrono::duration<double>(took).count();
    std::size_t place = 0;
    while (place < kBounds.size() && seconds > kBounds[place]) ++place;
    counts_[place].fetch_add(1, std::memory_order_relaxed);
    nanoseconds_.fetch_add(took.count(), std::memory_order_relaxed);
  }

  // The count is that of its buckets, also while others observe.
  prometheus::ClientMetric::Histogram read() const {
    prometheus::ClientMetric::Histogram out;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      out.sample_count += counts_[i].load(std::memory_order_relaxed);
      const double bound =
          i < kBounds.size() ? kBounds[i] : std::numeric_limits<double>::infinity();
      out.bucket.push_back({out.sample_count, bound});
    }
    out.sample_sum = static_cast<double>(nanoseconds_.load(std::memory_order_relaxed)) / 1e9;
    return out;
  }

 private:
  static constexpr std::array<double, 15> kBounds = {
      0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60};

  std::array<std::atomic<std::uint64_t>, kBounds.size() + 1> counts_{};
  std::atomic<std::int64_t> nanoseconds_{0};
};

// A histogram that takes no memory until something is observed.
class LazySeconds {
 public:
  LazySeconds() = default;
  ~LazySeconds() { delete seconds_.load(std::memory_order_acquire); }
  LazySeconds(const LazySeconds&) = delete;
  LazySeconds& operator=(const LazySeconds&) = delete;

  // Two threads that make it at once use the same one.
  void observe(std::chrono::nanoseconds took) {
    Seconds* seconds = seconds_.load(std::memory_order_acquire);
    if (seconds == nullptr) {
      auto fresh = std::make_unique<Seconds>();
      if (seconds_.compare_exchange_strong(seconds, fresh.get(), std::memory_order_acq_rel))
        seconds = fresh.release();
    }
    seconds->observe(took);
  }
  // Null: nothing was observed.
  const Seconds* find() const { return seconds_.load(std::memory_order_acquire); }

 private:
  std::atomic<Seconds*> seconds_{nullptr};
};

}  // namespace gantry::host

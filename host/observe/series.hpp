// host/observe/series.hpp: load and latency over time, for charts: 300 samples of one second and
// 360 of ten.
//
// count() is for threads that answer calls: it takes no lock and allocates nothing. sample() is
// called once a second by one thread. Reading: any thread. Latencies are known to a quarter of
// their value.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace gantry::host {

// What was counted in some time. Buckets are of latencies, each a quarter longer than the one
// before it, from 0.1 ms.
struct LoadCounts {
  static constexpr std::size_t kBuckets = 64;

  std::uint64_t calls = 0, errors = 0, bytes = 0;
  std::array<std::uint32_t, kBuckets> latencies{};

  void add(const LoadCounts& other);
  // The latency in milliseconds that `part` (0 to 1) of the calls do not exceed; 0 without calls.
  double percentile(double part) const;
};

struct LoadSample {
  std::chrono::system_clock::time_point time{};  // of its end
  LoadCounts counts{};
  std::int64_t running = 0, queued = 0;  // calls, at that time
};

class Series {
 public:
  static constexpr std::size_t kSeconds = 300, kTens = 360;

  // One call was answered.
  void count(double duration_ms, bool failed, std::uint64_t bytes) noexcept;
  // Ends a second. Throws std::bad_alloc.
  void sample(std::chrono::system_clock::time_point now, std::int64_t running, std::int64_t queued);

  // The oldest first.
  std::vector<LoadSample> seconds() const;
  std::vector<LoadSample> tens() const;
  // The sums of the latest `most` seconds.
  LoadCounts latest(std::size_t most) const;

 private:
  LoadCounts take() noexcept;

  std::atomic<std::uint64_t> calls_{0}, errors_{0}, bytes_{0};
  std::array<std::atomic<std::uint32_t>, LoadCounts::kBuckets> latencies_{};
  mutable std::mutex mutex_;  // of the members below
  std::deque<LoadSample> seconds_, tens_;
  LoadSample ten_;  // that has not ended
  int in_ten_ = 0;  // its seconds
};

}  // namespace gantry::host

#include "host/observe/series.hpp"

#include <algorithm>
#include <cmath>

namespace gantry::host {
namespace {

constexpr double kFirst = 0.1;  // milliseconds: the end of the first bucket
constexpr double kGrowth = 1.25;
constexpr int kSecondsOfTen = 10;

std::size_t bucket_of(double ms) noexcept {
  if (!(ms > kFirst)) return 0;
  const double place = std::ceil(std::log(ms / kFirst) / std::log(kGrowth));
  return std::min(static_cast<std::size_t>(place), LoadCounts::kBuckets - 1);
}

double end_of(std::size_t bucket) {
  return kFirst * std::pow(kGrowth, static_cast<double>(bucket));
}

void keep(std::deque<LoadSample>& samples, const LoadSample& sample, std::size_t most) {
  samples.push_back(sample);
  if (samples.size() > most) samples.pop_front();
}

}  // namespace

void LoadCounts::add(const LoadCounts& other) {
  calls += other.calls;
  errors += other.errors;
  bytes += other.bytes;
  for (std::size_t i = 0; i < kBuckets; ++i) latencies[i] += other.latencies[i];
}

double LoadCounts::percentile(double part) const {
  std::uint64_t all = 0;
  for (const auto count : latencies) all += count;
  if (all == 0) return 0;
  const double wanted = part * static_cast<double>(all);
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    seen += latencies[i];
    if (static_cast<double>(seen) >= wanted && seen > 0) return end_of(i);
  }
  return end_of(kBuckets - 1);
}

void Series::count(double duration_ms, bool failed, std::uint64_t bytes) noexcept {
  calls_.fetch_add(1, std::memory_order_relaxed);
  if (failed) errors_.fetch_add(1, std::memory_order_relaxed);
  bytes_.fetch_add(bytes, std::memory_order_relaxed);
  latencies_[bucket_of(duration_ms)].fetch_add(1, std::memory_order_relaxed);
}

LoadCounts Series::take() noexcept {
  LoadCounts out;
  out.calls = calls_.exchange(0, std::memory_order_relaxed);
  out.errors = errors_.exchange(0, std::memory_order_relaxed);
  out.bytes = bytes_.exchange(0, std::memory_order_relaxed);
  for (std::size_t i = 0; i < LoadCounts::kBuckets; ++i) {
    out.latencies[i] = latencies_[i].exchange(0, std::memory_order_relaxed);
  }
  return out;
}

void Series::sample(std::chrono::system_clock::time_point now, std::int64_t running,
                    std::int64_t queued) {
  const LoadSample second{now, take(), running, queued};
  const std::lock_guard lock(mutex_);
  keep(seconds_, second, kSeconds);
  ten_.time = now;
  ten_.counts.add(second.counts);
  ten_.running = std::max(ten_.running, running);
  ten_.queued = std::max(ten_.queued, queued);
  if (++in_ten_ < kSecondsOfTen) return;
  keep(tens_, ten_, kTens);
  ten_ = {};
  in_ten_ = 0;
}

std::vector<LoadSample> Series::seconds() const {
  const std::lock_guard lock(mutex_);
  return {seconds_.begin(), seconds_.end()};
}

std::vector<LoadSample> Series::tens() const {
  const std::lock_guard lock(mutex_);
  return {tens_.begin(), tens_.end()};
}

LoadCounts Series::latest(std::size_t most) const {
  LoadCounts out;
  const std::lock_guard lock(mutex_);
  const std::size_t begin = seconds_.size() - std::min(most, seconds_.size());
  for (std::size_t i = begin; i < seconds_.size(); ++i) out.add(seconds_[i].counts);
  return out;
}

}  // namespace gantry::host

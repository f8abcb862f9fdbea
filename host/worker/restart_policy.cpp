#include "host/worker/restart_policy.hpp"

#include <algorithm>

namespace gantry::host {
namespace {

constexpr std::chrono::milliseconds kShortest{100}, kLongest{30'000};
constexpr std::chrono::minutes kQuiet{1};

}  // namespace

// A worker that waited longer than the quiet time for its restart was quiet for no merit of its
// own; the waits are shorter than that.
std::chrono::milliseconds RestartPolicy::next_wait(Clock::Instant now) {
  const bool served = answered_.exchange(false, std::memory_order_relaxed);
  const bool begins = served || !failed_before_ || now - last_ >= kQuiet;
  if (begins) {
    wait_ = std::chrono::milliseconds{0};
  } else {
    wait_ = wait_.count() == 0 ? kShortest : std::min(wait_ * 2, kLongest);
  }
  last_ = now;
  failed_before_ = true;
  return wait_;
}

RestartPolicy::Verdict RestartPolicy::failed() {
  const Clock::Instant now = clock_.now();
  while (!recent_.empty() && now - recent_.front() > within_) recent_.pop_front();
  recent_.push_back(now);
  if (failures_ > 0 && recent_.size() >= static_cast<std::size_t>(failures_)) quarantined_ = true;
  if (failures_ == 0) recent_.clear();
  return {.quarantined = quarantined_, .wait = next_wait(now)};
}

}  // namespace gantry::host

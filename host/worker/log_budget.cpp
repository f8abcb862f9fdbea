#include "host/worker/log_budget.hpp"

#include <algorithm>

namespace gantry::host {

LogBudget::LogBudget(std::uint64_t bytes, const Clock& clock)
    : rate_(bytes),
      clock_(clock),
      left_(static_cast<double>(bytes * kSaved)),
      filled_(clock.now()) {}

LogBudget::Verdict LogBudget::take(std::size_t line_bytes) {
  if (rate_ == 0) return Verdict::keep;
  const std::lock_guard lock(mutex_);
  const Clock::Instant now = clock_.now();
  const std::chrono::duration<double> time = now - filled_;
  filled_ = now;
  const auto rate = static_cast<double>(rate_);
  left_ = std::min(left_ + time.count() * rate, rate * kSaved);
  const auto cost = static_cast<double>(line_bytes + kLine);
  if (cost <= left_) {
    left_ -= cost;
    return Verdict::keep;
  }
  bytes_ += line_bytes;
  return ++lines_ == 1 ? Verdict::first_drop : Verdict::drop;
}

bool LogBudget::owes() const {
  const std::lock_guard lock(mutex_);
  return lines_ != 0;
}

std::string LogBudget::dropped(bool now) {
  const std::lock_guard lock(mutex_);
  if (lines_ == 0) return {};
  const Clock::Instant time = clock_.now();
  if (!now && has_said_ && time - said_ < kInterval) return {};
  said_ = time;
  has_said_ = true;
  std::string text = "it logs more than " + std::to_string(rate_) +
                     " bytes a second (worker.log_bytes_per_second); " + std::to_string(lines_) +
                     " lines (" + std::to_string(bytes_) + " bytes) are not shown";
  lines_ = bytes_ = 0;
  return text;
}

}  // namespace gantry::host

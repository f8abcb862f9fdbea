// host/worker/log_budget.hpp: how much of the output and log lines of a worker is kept.
//
// Any thread.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "host/base/clock.hpp"

namespace gantry::host {

class LogBudget {
 public:
  // A line costs its bytes and kLine more. Seconds without lines are saved up, at most kSaved.
  static constexpr std::uint64_t kLine = 64, kSaved = 4;
  static constexpr std::chrono::seconds kInterval{1};  // between two sentences

  // `bytes` a second; 0: any.
  LogBudget(std::uint64_t bytes, const Clock& clock);

  enum class Verdict { keep, drop, first_drop };
  // first_drop: nothing was owed before.
  Verdict take(std::size_t line_bytes);

  // Lines were dropped that no sentence has reported yet.
  bool owes() const;
  // The sentence about dropped lines; empty when there were none, or the last one is younger than
  // kInterval and `now` is not set.
  std::string dropped(bool now);

 private:
  const std::uint64_t rate_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  double left_;
  Clock::Instant filled_, said_{};
  bool has_said_ = false;
  std::uint64_t lines_ = 0, bytes_ = 0;
};

}  // namespace gantry::host

#include "host/limits/call_rate.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

namespace gantry::host {
namespace {

using std::chrono::duration_cast;

int whole_seconds(Clock::Duration wait) {
  const double seconds = std::chrono::duration<double>(wait).count();
  return std::max(1, static_cast<int>(std::ceil(seconds)));
}

// Clients that are refused together do not come back together.
int random_wait() {
  thread_local std::minstd_rand random{std::random_device{}()};
  return std::uniform_int_distribution<int>(1, 5)(random);
}

}  // namespace

std::optional<int> CallRate::take(std::string_view caller, std::size_t calls,
                                  std::size_t seconds) noexcept try {
  const auto at = clock_.now();
  const auto window = duration_cast<Clock::Duration>(std::chrono::seconds(seconds));
  const std::lock_guard lock(mutex_);
  Calls* known = find(caller, at);
  if (known == nullptr) return random_wait();
  if (known->limit != calls || known->window != window) {
    known->limit = calls;
    known->window = window;
    known->before = known->now = 0;
    if (calls > kExact) known->log.clear();
  }
  const auto wait = calls <= kExact ? take_exact(*known, at) : take_counted(*known, at);
  if (wait) return whole_seconds(*wait);
  known->last = at;
  return std::nullopt;
} catch (...) {
  return 1;
}

// Null: there is no room for another caller.
CallRate::Calls* CallRate::find(std::string_view caller, Clock::Instant at) {
  const auto known = callers_.find(caller);
  if (known != callers_.end()) return &known->second;
  if (callers_.size() >= kMaxCallers && at - swept_ >= std::chrono::seconds(1)) {
    swept_ = at;  // once a second, because it visits all callers
    std::erase_if(callers_, [at](const auto& entry) {
      return at - entry.second.last >= 2 * entry.second.window;
    });
  }
  if (callers_.size() >= kMaxCallers) return nullptr;
  return &callers_.emplace(std::string(caller), Calls()).first->second;
}

std::optional<Clock::Duration> CallRate::take_exact(Calls& calls, Clock::Instant at) {
  auto& log = calls.log;
  while (!log.empty() && at - log.front() >= calls.window) log.pop_front();
  if (log.size() >= calls.limit) return log[log.size() - calls.limit] + calls.window - at;
  log.push_back(at);
  return std::nullopt;
}

// The window before counts in proportion to its part of the sliding one.
std::optional<Clock::Duration> CallRate::take_counted(Calls& calls, Clock::Instant at) {
  const auto since = at.time_since_epoch();
  const std::int64_t number = since / calls.window;
  if (calls.number != number) {
    calls.before = calls.number + 1 == number ? calls.now : 0;
    calls.now = 0;
    calls.number = number;
  }
  const auto into = since % calls.window;
  const double part =
      1 - static_cast<double>(into.count()) / static_cast<double>(calls.window.count());
  const double used = static_cast<double>(calls.now) + static_cast<double>(calls.before) * part;
  if (used + 1 > static_cast<double>(calls.limit)) return calls.window - into;
  ++calls.now;
  return std::nullopt;
}

}  // namespace gantry::host

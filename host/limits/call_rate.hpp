// host/limits/call_rate.hpp: rate limit of calls, per caller.
//
// Up to kExact calls a window the limit is exact: in no window of that length are more calls let
// through. Above, two windows are counted, as in pre_auth.hpp. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "host/base/clock.hpp"
#include "host/base/text.hpp"

namespace gantry::host {

class CallRate {
 public:
  static constexpr std::size_t kExact = 1'000;
  // The most callers that are counted apart; it bounds the memory. Further ones are refused.
  static constexpr std::size_t kMaxCallers = 10'000;

  // `clock` must outlive this.
  explicit CallRate(const Clock& clock) : clock_(clock) {}

  // Takes one of the `calls` that `caller` may make in any `seconds`. Nothing: it may call; else
  // the seconds until it may, at least 1. If it cannot be counted (too many callers, no memory) it
  // is refused, for a random time of 1 to 5 seconds.
  std::optional<int> take(std::string_view caller, std::size_t calls, std::size_t seconds) noexcept;

 private:
  struct Calls {
    std::size_t limit = 0;
    Clock::Duration window{};
    std::deque<Clock::Instant> log;  // of an exact limit
    std::int64_t number = 0;         // of the current window, else
    std::size_t before = 0, now = 0;
    Clock::Instant last{};
  };
  static std::optional<Clock::Duration> take_exact(Calls& calls, Clock::Instant at);
  static std::optional<Clock::Duration> take_counted(Calls& calls, Clock::Instant at);
  Calls* find(std::string_view caller, Clock::Instant at);

  const Clock& clock_;
  std::mutex mutex_;
  Clock::Instant swept_{};  // when expired callers were last searched for
  std::unordered_map<std::string, Calls, TextHash, std::equal_to<>> callers_;
};

}  // namespace gantry::host

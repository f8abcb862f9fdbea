// host/auth/used_states.hpp (private): which states were used, until they expire.
//
// Any thread.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <set>
#include <utility>

#include "host/base/clock.hpp"

namespace gantry::host {

class UsedStates {
 public:
  // Random and never the same for two states.
  using Nonce = std::array<unsigned char, 12>;
  enum class Use { first, again, expired, no_room };

  // `clock` must outlive this.
  UsedStates(const Clock& clock, std::size_t limit) : clock_(clock), limit_(limit) {}

  // Marks a state as used; `first` is said once for each.
  Use use(const Nonce& nonce, Clock::Instant expiry);

  std::size_t size();

 private:
  void forget_until(Clock::Instant now);

  const Clock& clock_;
  const std::size_t limit_;
  std::mutex mutex_;
  std::set<std::pair<Clock::Instant, Nonce>> used_;  // those that expire first come first
};

}  // namespace gantry::host

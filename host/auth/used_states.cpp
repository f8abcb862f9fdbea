#include "host/auth/used_states.hpp"

namespace gantry::host {

UsedStates::Use UsedStates::use(const Nonce& nonce, Clock::Instant expiry) {
  const std::lock_guard lock(mutex_);
  // Read under the lock: with an earlier moment a state that another thread has just forgotten
  // would still look good.
  const Clock::Instant now = clock_.now();
  if (expiry <= now) return Use::expired;
  forget_until(now);
  if (used_.contains({expiry, nonce})) return Use::again;
  if (used_.size() >= limit_) return Use::no_room;
  used_.emplace(expiry, nonce);
  return Use::first;
}

std::size_t UsedStates::size() {
  const std::lock_guard lock(mutex_);
  forget_until(clock_.now());
  return used_.size();
}

void UsedStates::forget_until(Clock::Instant now) {
  while (!used_.empty() && used_.begin()->first <= now) used_.erase(used_.begin());
}

}  // namespace gantry::host

#include "host/auth/used_states.hpp"

namespace gantry::host {

UsedStates::Use UsedStates::use(const Nonce& nonce, Clock::Instant expiry, std::string_view owner) {
  const std::lock_guard lock(mutex_);
  // Read under the lock: with an earlier time, a state that another thread has just dropped as
  // expired would still be accepted.
  const Clock::Instant now = clock_.now();
  if (expiry <= now) return Use::expired;
  forget_until(now);
  if (used_.contains({expiry, nonce})) return Use::again;
  if (used_.size() >= limit_) return Use::no_room;
  auto own = owners_.find(owner);
  if (own != owners_.end() && own->second >= limit_ - used_.size()) return Use::no_share;
  if (own == owners_.end()) own = owners_.emplace(owner, 0).first;
  used_.emplace(std::pair(expiry, nonce), own);
  ++own->second;
  return Use::first;
}

std::size_t UsedStates::size() {
  const std::lock_guard lock(mutex_);
  forget_until(clock_.now());
  return used_.size();
}

void UsedStates::forget_until(Clock::Instant now) {
  while (!used_.empty() && used_.begin()->first.first <= now) {
    const auto owner = used_.begin()->second;
    if (--owner->second == 0) owners_.erase(owner);
    used_.erase(used_.begin());
  }
}

}  // namespace gantry::host

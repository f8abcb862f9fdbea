// host/auth/used_states.hpp (private): remembers used states until they expire.
//
// Any thread.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "host/base/clock.hpp"

namespace gantry::host {

class UsedStates {
 public:
  // Random and different for every state.
  using Nonce = std::array<unsigned char, 12>;
  enum class Use { first, again, expired, no_room, no_share };

  // `clock` must outlive this.
  UsedStates(const Clock& clock, std::size_t limit) : clock_(clock), limit_(limit) {}

  // Marks a state as used; returns `first` once for each state. `no_share`: the owner has as many
  // here as are free, so that there is always room for others.
  Use use(const Nonce& nonce, Clock::Instant expiry, std::string_view owner);

  std::size_t size();

 private:
  using Owners = std::map<std::string, std::size_t, std::less<>>;  // how many each has here

  void forget_until(Clock::Instant now);

  const Clock& clock_;
  const std::size_t limit_;
  std::mutex mutex_;
  Owners owners_;
  // The states in the order of their expiry.
  std::map<std::pair<Clock::Instant, Nonce>, Owners::iterator> used_;
};

}  // namespace gantry::host

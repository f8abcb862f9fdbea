// host/auth/seal.hpp: encrypted state that a client carries from one round to the next. The client
// cannot read it, change it, use it twice, use it after it expires or use it for another request.
//
// The text is that of sealed_text.hpp. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <gantry/result.hpp>

#include "host/auth/aead.hpp"
#include "host/auth/used_states.hpp"
#include "host/base/clock.hpp"

namespace gantry::host {

class Sealer {
 public:
  using Key = aead::Key;

  static constexpr std::size_t kMaxPayload = 64u << 10;
  static constexpr std::size_t kMaxText = 128u << 10;
  // About 20 MB when full. A constant and no key of the configuration: one owner reaches its share,
  // half of it, by 166 retries a second with states that live for the default ten minutes, and then
  // its retries are refused as busy, never let through twice.
  static constexpr std::size_t kMaxRemembered = 200'000;

  // `clock` must outlive this. At most `max_remembered` used states are remembered until they
  // expire. With a key of its own a Sealer opens only its own states. With a given key it also
  // opens states sealed by others with this key, if their clocks have the same epoch; each Sealer
  // counts only the states that it has opened itself as used. A key is good for 2^32 states.
  explicit Sealer(const Clock& clock, std::size_t max_remembered = kMaxRemembered);
  Sealer(const Clock& clock, const Key& key, std::size_t max_remembered = kMaxRemembered);
  ~Sealer();
  Sealer(const Sealer&) = delete;
  Sealer& operator=(const Sealer&) = delete;

  // `binding` identifies the principal and the request that the state is for (digest_of). open()
  // must be given the same one; the text does not contain it. The state expires after `lifetime`.
  // GANTRY_TOO_BIG: the payload exceeds kMaxPayload, which is the plugin's fault.
  Result<std::string> seal(std::string_view binding, std::string_view payload,
                           Clock::Duration lifetime) const;

  // The payload, once. All failures are the client's, with a sentence for it:
  // GANTRY_INVALID_ARGUMENT for a state of another principal, a changed one or one of another
  // binding (not distinguished), an expired one and one that was used before; GANTRY_TOO_BIG beyond
  // kMaxText; GANTRY_BUSY when no more used states can be remembered: this one stays unused.
  // `owner`: the principal the state is of. One owner holds at most
  // as many states as are still free, which is half of all when it is alone; so there is always
  // room for another owner.
  Result<std::string> open(std::string_view binding, std::string_view text,
                           std::string_view owner = {});

  // Used states that are remembered now.
  std::size_t remembered();

 private:
  const Clock& clock_;
  Key key_;
  UsedStates used_;
};

}  // namespace gantry::host

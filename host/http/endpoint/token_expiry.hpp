// host/http/endpoint/token_expiry.hpp: ends listening streams when the token that opened them is no
// longer accepted.
//
// A client goes on with a refreshed token. Any thread.
#pragma once

#include <functional>
#include <memory>

#include "host/auth/token_check.hpp"
#include "host/base/timer.hpp"

namespace gantry::host::http {

class TokenExpiry {
 public:
  // Nothing is called after it is destroyed, but for a call that has begun. The TokenExpiry must
  // outlive it.
  using Watch = std::shared_ptr<void>;

  // Calls `end`, which must be quick, on a thread of this object when the token is over; at once if
  // it is. Null without a token, and if memory or threads run out: then requests are refused all
  // the same, and the stream ends by itself.
  Watch watch(const TokenGrant* token, std::function<void()> end) noexcept;

 private:
  Timer timer_{"gantry-expiry"};
};

}  // namespace gantry::host::http

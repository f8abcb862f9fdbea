#include "host/auth/jwt/issued_principals.hpp"

#include <algorithm>
#include <utility>

namespace gantry::host::jwt {

void IssuedPrincipals::add(const std::string& name, std::shared_ptr<const JwtIssuer> issuer,
                           Seconds expires, Seconds now) {
  forget_expired(now);
  const auto known = by_name_.find(name);
  if (known != by_name_.end()) {
    expires = std::max(expires, known->second.expiry->first);
    by_expiry_.erase(known->second.expiry);
    by_name_.erase(known);
  }
  by_name_.emplace(name, Entry{std::move(issuer), by_expiry_.emplace(expires, name)});
}

// A stream may outlive its token by a little; a day covers the longest skew.
void IssuedPrincipals::forget_expired(Seconds now) {
  constexpr std::chrono::hours kGrace(24);
  while (!by_expiry_.empty() &&
         (by_expiry_.begin()->first + kGrace < now || by_name_.size() >= kMost)) {
    by_name_.erase(by_expiry_.begin()->second);
    by_expiry_.erase(by_expiry_.begin());
  }
}

PrincipalNames IssuedPrincipals::withdraw(const std::function<bool(const JwtIssuer&)>& stays) {
  PrincipalNames out;
  for (auto at = by_name_.begin(); at != by_name_.end();) {
    if (stays(*at->second.issuer)) {
      ++at;
      continue;
    }
    out.insert(at->first);
    by_expiry_.erase(at->second.expiry);
    at = by_name_.erase(at);
  }
  return out;
}

}  // namespace gantry::host::jwt

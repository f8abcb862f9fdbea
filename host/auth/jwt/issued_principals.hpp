// host/auth/jwt/issued_principals.hpp (private): the principals of tokens that have not expired,
// and the issuer of each: what they keep open ends when the issuer's rights change.
//
// Not thread-safe: its owner guards it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "host/auth/agents/jwt_issuer.hpp"
#include "host/auth/jwt/claims.hpp"
#include "host/auth/principal.hpp"

namespace gantry::host::jwt {

class IssuedPrincipals {
 public:
  // About 20 MB. Beyond it those whose tokens expire first are forgotten: they keep what they have
  // open after a change, until it ends by itself.
  static constexpr std::size_t kMost = 65'536;

  // A token of this principal was accepted; the latest expiry counts.
  void add(const std::string& name, std::shared_ptr<const JwtIssuer> issuer, Seconds expires,
           Seconds now);
  // Forgets and returns those for whose issuer `stays` is false.
  PrincipalNames withdraw(const std::function<bool(const JwtIssuer&)>& stays);
  bool has(std::string_view name) const { return by_name_.contains(name); }
  std::size_t size() const { return by_name_.size(); }

 private:
  struct Entry {
    std::shared_ptr<const JwtIssuer> issuer;
    std::multimap<Seconds, std::string>::iterator expiry;
  };
  using ByName = std::map<std::string, Entry, std::less<>>;

  void forget_expired(Seconds now);

  ByName by_name_;
  std::multimap<Seconds, std::string> by_expiry_;
};

}  // namespace gantry::host::jwt

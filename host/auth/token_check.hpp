// host/auth/token_check.hpp: how the Authenticator has tokens (JWT) checked, and the facts about a
// token that answers need.
//
// host/auth/jwt implements it. Any thread; nothing here waits for the network.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/auth/agent.hpp"

namespace gantry::host {

struct Principal;

// What a token was granted, and what its issuer could grant.
struct TokenGrant {
  std::vector<std::string> scopes;                       // granted, all of them
  std::vector<std::pair<std::string, Tier>> configured;  // that grant a tier; in the file's order
  Tier most = Tier::readonly;                            // of the profile: no scope grants more
  std::chrono::sys_seconds expires;                      // the claim
  std::chrono::sys_seconds accepted_until;               // with the skew that the issuer is granted

  // The scopes of a token that may do `wanted`, for a challenge: all that were granted, and the
  // first of the least ones that grant it. Empty: no configured scope does.
  std::vector<std::string> scopes_for(Tier wanted) const;
};

struct CheckedToken {
  std::shared_ptr<const Principal> principal;  // null: refused
  // "invalid", "expired", "wrong_audience", "no_profile"; "no_scope": the token is good and has
  // none of the scopes that its issuer needs, which are in `grant`; "unavailable": it cannot be
  // checked now.
  std::string_view reason{};
  std::shared_ptr<const TokenGrant> grant{};  // of "no_scope"
  // Not empty: the keys that the token may be signed with are being fetched; for when_checkable().
  std::string waits_for{};
};

// What the metadata of a protected resource (RFC 9728) says of the issuers.
struct IssuerSummary {
  std::vector<std::string> issuers, scopes;  // each once, in the file's order
  std::vector<std::string> least_scopes;     // of each issuer the first of its least ones
};

class TokenCheck {
 public:
  virtual ~TokenCheck() = default;
  // At least one issuer is configured.
  virtual bool is_configured() const = 0;
  // The agents that tokens may act as.
  virtual std::vector<AgentPtr> agents() const = 0;
  virtual std::shared_ptr<const IssuerSummary> summary() const = 0;

  virtual CheckedToken check(std::string_view token) = 0;
  // True if check() would verify a signature, which costs time. It does not for a token that it
  // refuses for its form, its issuer or an unknown key, nor for one whose verdict is remembered.
  virtual bool needs_signature(std::string_view token) = 0;
  // Calls `ready` once, on another thread, when check() can be asked again. False: too many wait.
  virtual bool when_checkable(const std::string& waits_for, std::function<void()> ready) = 0;
  // Grows when issuers, their profiles or roles change.
  virtual std::uint64_t changes() const = 0;
  // Tokens still lead to the principal of this name, with the same rights.
  virtual bool leads_to(std::string_view principal) const = 0;
  // Drops what waits; nothing is called after it returns.
  virtual void stop_waiting() = 0;
};

}  // namespace gantry::host

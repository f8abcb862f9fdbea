// host/auth/jwt/claims.hpp: the claims of a token whose signature is good, as the configuration of
// its issuer maps them.
//
// Pure functions; any thread.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/auth/agents/jwt_issuer.hpp"
#include "sdk/contract/words.hpp"

namespace gantry::host::jwt {

struct Jws;

// Wall time, in seconds since 1970.
using Seconds = std::chrono::sys_seconds;

// Why a token is refused: for the log and the metrics alone.
enum class Fault { invalid, expired, wrong_audience, no_profile, no_scope, unavailable };
std::string_view reason_of(Fault fault);

struct Claims {
  std::string issuer, subject, client_id;
  std::optional<std::string> user, tenant;
  // Nothing: the issuer maps no roles, and the profile's stay.
  std::optional<std::vector<std::string>> roles;
  std::vector<std::string> scopes;  // all that the token was granted
  std::string correlation_id;       // empty: the token binds none
  // The highest that its scopes grant; nothing: the issuer maps no scopes.
  std::optional<contract::Tier> tier;
  Seconds expires;
};

// Reads the claims of `token` at the time `now`, and returns why they are refused. The types of the
// claims are strict: nothing is converted, and no claim has a default.
std::optional<Fault> read_claims(const Jws& token, const JwtIssuer& issuer, Seconds now,
                                 Claims& out);

// The header's `typ` is one that the issuer's tokens may have.
bool has_good_type(const Jws& token, const JwtIssuer& issuer);

}  // namespace gantry::host::jwt

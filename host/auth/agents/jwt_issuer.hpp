// host/auth/agents/jwt_issuer.hpp: one entry of the section "jwt" of an agents file: an issuer of
// tokens, and what its tokens may act as.
//
// A value, checked when the file was read; any thread.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "host/auth/agent.hpp"

namespace gantry::host {

// One member for each key of the entry, so it has more than twelve.
struct JwtIssuer {
  std::string issuer;                   // the claim iss, byte by byte
  std::vector<std::string> audiences;   // at least one; the claim aud holds one of them
  std::string jwks;                     // an https URL (http of loopback), or an absolute path
  std::vector<std::string> algorithms;  // at least one of RS256, ES256, EdDSA
  AgentPtr profile;                     // never null; a token narrows it
  std::string user_claim = "sub";
  std::string tenant_claim;  // empty: the profile's tenant
  std::string roles_claim;   // empty: the profile's roles
  std::string client_claim = "client_id";
  std::string correlation_claim;  // empty: tokens bind no correlation id
  // In the order of the file. Empty: the profile's tier, without scopes.
  std::vector<std::pair<std::string, Tier>> scopes;
  // In lower case. "" accepts a token without the header member typ.
  std::vector<std::string> types{"at+jwt", "application/at+jwt"};
  std::chrono::seconds skew{60}, max_life{24 * 60 * 60};

  bool has_url() const { return jwks.find("://") != std::string::npos; }
};

}  // namespace gantry::host

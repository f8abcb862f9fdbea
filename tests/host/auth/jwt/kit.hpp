// Keys of each kind, their JWKs, and tokens that they sign: also wrong ones.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "host/auth/jwt/algorithm.hpp"

namespace gantry::host::jwt::kit {

// A private key and the texts about it.
struct Signer {
  std::shared_ptr<EVP_PKEY> key;
  std::string kid;

  // "RS256", "ES256" or "EdDSA".
  std::string algorithm() const;
  // The public JWK; `more` is put in front of the closing brace, with its comma.
  std::string jwk(std::string_view more = "") const;
  // The bytes of a signature as a JWS has it.
  std::string sign(std::string_view text) const;
  // header.payload.signature, the header being {"alg":…,"typ":"at+jwt","kid":…}.
  std::string token(std::string_view payload) const;
  // The same with this header.
  std::string token(std::string_view header, std::string_view payload) const;
};

Signer rsa(std::string kid, unsigned bits = 2048, unsigned exponent = 65537);
Signer ec(std::string kid, const char* curve = "P-256");
Signer ed(std::string kid);

// {"keys":[…]} of one text or several, joined by commas.
std::string set_of(std::string_view keys);
// The two parts, and a signature of these bytes.
std::string assembled(std::string_view header, std::string_view payload, std::string_view bytes);
// The bytes of `hex`.
std::string unhex(std::string_view hex);

}  // namespace gantry::host::jwt::kit

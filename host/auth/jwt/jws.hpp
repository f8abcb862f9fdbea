// host/auth/jwt/jws.hpp: the parts of a token, read strictly and not yet trusted.
//
// A token is a JWS in compact form whose header and payload are JSON objects. Nothing here looks
// for keys: `jku`, `x5u`, `jwk` and `x5c` are never read. One thread at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <rapidjson/document.h>

namespace gantry::host::jwt {

struct Jws {
  static constexpr std::size_t kMaxToken = 8u << 10;
  static constexpr std::size_t kMaxHeader = 1u << 10;
  static constexpr std::size_t kMaxName = 256;

  std::string_view signed_text;    // header.payload, of the token that was given
  std::string signature;           // its bytes
  std::string alg;                 // as sent
  std::optional<std::string> typ;  // nothing: absent
  std::optional<std::string> kid;
  rapidjson::Document payload;
};

// Reads `token`, which must outlive `out`; false unless it has three strict base64url parts of two
// JSON objects and a signature, within the bounds above, and a header without `crit`, `b64`, `zip`,
// `enc` and `cty`, whose alg, typ and kid are texts.
bool read_jws(std::string_view token, Jws& out);

// The member `iss` of the payload, or empty.
std::string_view issuer_of(const Jws& token);

}  // namespace gantry::host::jwt

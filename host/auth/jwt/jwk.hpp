// host/auth/jwt/jwk.hpp: a public key as JSON (RFC 7517), checked before it is used.
//
// Any thread; immutable once made.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <rapidjson/fwd.h>

#include <gantry/result.hpp>

#include "host/auth/jwt/algorithm.hpp"

namespace gantry::host::jwt {

struct PublicKey {
  std::string kid;  // empty: the key has none
  Algorithm algorithm = Algorithm::es256;
  KeyPtr key;
};

// The key of a JWK. GANTRY_INVALID_ARGUMENT with the reason for every other one: private or
// symmetric, of a kind that no algorithm here uses, for another use, RSA below 2048 or above 8192
// bits or with an exponent below 65537, a point that is not on the curve or at infinity, an Ed25519
// key of low order.
Result<PublicKey> read_jwk(const rapidjson::Value& jwk);

// True for the encoding of a point of low order, under which signatures of any text can be made,
// and for one that no encoder makes. `point`: 32 bytes.
bool is_weak_point(std::string_view point);

}  // namespace gantry::host::jwt

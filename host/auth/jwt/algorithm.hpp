// host/auth/jwt/algorithm.hpp: the signature algorithms, and the check of one signature.
//
// There is no other algorithm, no HMAC and no "none": a key fixes its algorithm, and a token can
// only agree with it. Pure functions; any thread.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include <openssl/evp.h>

namespace gantry::host::jwt {

enum class Algorithm { rs256, es256, eddsa };

// The algorithm of this name, compared with case: RS256, ES256, EdDSA, or Ed25519 (RFC 9864), which
// counts as EdDSA.
std::optional<Algorithm> algorithm_from(std::string_view name);

struct FreeKey {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
using KeyPtr = std::unique_ptr<EVP_PKEY, FreeKey>;

// True if `signature` is one of `signed_text` by `key`, whose kind fits `algorithm`. The size of
// the signature is checked before anything is done with it.
bool is_signed(Algorithm algorithm, EVP_PKEY& key, std::string_view signed_text,
               std::string_view signature);

}  // namespace gantry::host::jwt

#include "host/auth/jwt/algorithm.hpp"

#include <cstddef>
#include <string>

#include <openssl/bn.h>
#include <openssl/ecdsa.h>

namespace gantry::host::jwt {
namespace {

constexpr std::size_t kHalf = 32;  // bytes of r and of s

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
struct FreeSignature {
  void operator()(ECDSA_SIG* signature) const { ECDSA_SIG_free(signature); }
};

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// r and s, 32 bytes each, as OpenSSL reads them; empty if memory runs out.
std::string to_der(std::string_view signature) {
  const std::unique_ptr<ECDSA_SIG, FreeSignature> pair(ECDSA_SIG_new());
  BIGNUM* r = BN_bin2bn(bytes_of(signature), kHalf, nullptr);
  BIGNUM* s = BN_bin2bn(bytes_of(signature) + kHalf, kHalf, nullptr);
  if (!pair || r == nullptr || s == nullptr || ECDSA_SIG_set0(pair.get(), r, s) != 1) {
    BN_free(r);
    BN_free(s);
    return {};
  }
  unsigned char* der = nullptr;
  const int size = i2d_ECDSA_SIG(pair.get(), &der);
  if (size <= 0) return {};
  std::string out(reinterpret_cast<const char*>(der), static_cast<std::size_t>(size));
  OPENSSL_free(der);
  return out;
}

bool verify(const EVP_MD* digest, EVP_PKEY& key, std::string_view text,
            std::string_view signature) {
  const std::unique_ptr<EVP_MD_CTX, FreeContext> context(EVP_MD_CTX_new());
  return context && EVP_DigestVerifyInit(context.get(), nullptr, digest, nullptr, &key) == 1 &&
         EVP_DigestVerify(context.get(), bytes_of(signature), signature.size(), bytes_of(text),
                          text.size()) == 1;
}

}  // namespace

std::optional<Algorithm> algorithm_from(std::string_view name) {
  if (name == "RS256") return Algorithm::rs256;
  if (name == "ES256") return Algorithm::es256;
  if (name == "EdDSA" || name == "Ed25519") return Algorithm::eddsa;
  return std::nullopt;
}

bool is_signed(Algorithm algorithm, EVP_PKEY& key, std::string_view signed_text,
               std::string_view signature) {
  switch (algorithm) {
    case Algorithm::rs256:
      return EVP_PKEY_get_base_id(&key) == EVP_PKEY_RSA &&
             signature.size() == static_cast<std::size_t>(EVP_PKEY_get_size(&key)) &&
             verify(EVP_sha256(), key, signed_text, signature);
    case Algorithm::es256:
      return EVP_PKEY_get_base_id(&key) == EVP_PKEY_EC && signature.size() == 2 * kHalf &&
             verify(EVP_sha256(), key, signed_text, to_der(signature));
    case Algorithm::eddsa:
      return EVP_PKEY_get_base_id(&key) == EVP_PKEY_ED25519 && signature.size() == 2 * kHalf &&
             verify(nullptr, key, signed_text, signature);
  }
  return false;
}

}  // namespace gantry::host::jwt

#include "tests/host/auth/jwt/kit.hpp"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/rsa.h>

#include "host/base/text.hpp"

namespace gantry::host::jwt::kit {
namespace {

std::string number(EVP_PKEY* key, const char* name, std::size_t least = 0) {
  BIGNUM* value = nullptr;
  EVP_PKEY_get_bn_param(key, name, &value);
  std::string out(std::max<std::size_t>(static_cast<std::size_t>(BN_num_bytes(value)), least), 0);
  BN_bn2binpad(value, reinterpret_cast<unsigned char*>(out.data()), static_cast<int>(out.size()));
  BN_free(value);
  return out;
}

std::string raw_signature(std::string_view der) {
  const auto* at = reinterpret_cast<const unsigned char*>(der.data());
  ECDSA_SIG* pair = d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size()));
  std::string out(64, 0);
  BN_bn2binpad(ECDSA_SIG_get0_r(pair), reinterpret_cast<unsigned char*>(out.data()), 32);
  BN_bn2binpad(ECDSA_SIG_get0_s(pair), reinterpret_cast<unsigned char*>(out.data()) + 32, 32);
  ECDSA_SIG_free(pair);
  return out;
}

Signer signer(EVP_PKEY* key, std::string kid) {
  return {std::shared_ptr<EVP_PKEY>(key, &EVP_PKEY_free), std::move(kid)};
}

}  // namespace

std::string Signer::algorithm() const {
  switch (EVP_PKEY_get_base_id(key.get())) {
    case EVP_PKEY_RSA:
      return "RS256";
    case EVP_PKEY_EC:
      return "ES256";
    default:
      return "EdDSA";
  }
}

std::string Signer::jwk(std::string_view more) const {
  std::string out = "{\"kid\":\"" + kid + "\",";
  const std::string name = algorithm();
  if (name == "RS256") {
    out += R"("kty":"RSA","n":")" + to_base64url(number(key.get(), OSSL_PKEY_PARAM_RSA_N)) +
           R"(","e":")" + to_base64url(number(key.get(), OSSL_PKEY_PARAM_RSA_E)) + "\"";
  } else if (name == "ES256") {
    out += R"("kty":"EC","crv":"P-256","x":")" +
           to_base64url(number(key.get(), OSSL_PKEY_PARAM_EC_PUB_X, 32)) + R"(","y":")" +
           to_base64url(number(key.get(), OSSL_PKEY_PARAM_EC_PUB_Y, 32)) + "\"";
  } else {
    std::string point(32, 0);
    std::size_t size = point.size();
    EVP_PKEY_get_raw_public_key(key.get(), reinterpret_cast<unsigned char*>(point.data()), &size);
    out += R"("kty":"OKP","crv":"Ed25519","x":")" + to_base64url(point) + "\"";
  }
  return out.append(more) + "}";
}

std::string Signer::sign(std::string_view text) const {
  const bool edwards = algorithm() == "EdDSA";
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  EVP_DigestSignInit(context, nullptr, edwards ? nullptr : EVP_sha256(), nullptr, key.get());
  std::size_t size = 0;
  EVP_DigestSign(context, nullptr, &size, bytes, text.size());
  std::string out(size, 0);
  EVP_DigestSign(context, reinterpret_cast<unsigned char*>(out.data()), &size, bytes, text.size());
  EVP_MD_CTX_free(context);
  out.resize(size);
  return algorithm() == "ES256" ? raw_signature(out) : out;
}

std::string Signer::token(std::string_view payload) const {
  return token(R"({"alg":")" + algorithm() + R"(","typ":"at+jwt","kid":")" + kid + "\"}", payload);
}

std::string Signer::token(std::string_view header, std::string_view payload) const {
  const std::string text = to_base64url(header) + "." + to_base64url(payload);
  return text + "." + to_base64url(sign(text));
}

Signer rsa(std::string kid, unsigned bits, unsigned exponent) {
  EVP_PKEY_CTX* context = EVP_PKEY_CTX_new_from_name(nullptr, "RSA", nullptr);
  EVP_PKEY_keygen_init(context);
  EVP_PKEY_CTX_set_rsa_keygen_bits(context, static_cast<int>(bits));
  BIGNUM* e = BN_new();
  BN_set_word(e, exponent);
  EVP_PKEY_CTX_set1_rsa_keygen_pubexp(context, e);
  BN_free(e);
  EVP_PKEY* key = nullptr;
  EVP_PKEY_generate(context, &key);
  EVP_PKEY_CTX_free(context);
  return signer(key, std::move(kid));
}

Signer ec(std::string kid, const char* curve) { return signer(EVP_EC_gen(curve), std::move(kid)); }

Signer ed(std::string kid) {
  return signer(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"), std::move(kid));
}

std::string set_of(std::string_view keys) { return "{\"keys\":[" + std::string(keys) + "]}"; }

std::string assembled(std::string_view header, std::string_view payload, std::string_view bytes) {
  return to_base64url(header) + "." + to_base64url(payload) + "." + to_base64url(bytes);
}

std::string unhex(std::string_view hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    out += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return out;
}

}  // namespace gantry::host::jwt::kit

#include "host/auth/jwt/jwk.hpp"

#include <algorithm>
#include <array>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/param_build.h>
#include <rapidjson/document.h>

#include "host/auth/jwt/strict_json.hpp"
#include "host/base/text.hpp"

namespace gantry::host::jwt {
namespace {

constexpr int kLeastBits = 2048, kMostBits = 8192;
constexpr std::size_t kPoint = 32;        // bytes of a coordinate
constexpr std::size_t kMaxNumber = 1400;  // characters of the largest modulus

struct FreeNumber {
  void operator()(BIGNUM* number) const { BN_free(number); }
};
struct FreeBuild {
  void operator()(OSSL_PARAM_BLD* build) const { OSSL_PARAM_BLD_free(build); }
};
struct FreeParams {
  void operator()(OSSL_PARAM* params) const { OSSL_PARAM_free(params); }
};
struct FreeKeyContext {
  void operator()(EVP_PKEY_CTX* context) const { EVP_PKEY_CTX_free(context); }
};
using Number = std::unique_ptr<BIGNUM, FreeNumber>;
using Build = std::unique_ptr<OSSL_PARAM_BLD, FreeBuild>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, FreeKeyContext>;

const unsigned char* raw(const std::string& bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

// The bytes of a base64url member; empty unless it is a strict one.
std::string bytes_in(const rapidjson::Value& jwk, std::string_view name) {
  const auto text = plain_text(member_of(jwk, name), kMaxNumber);
  return text ? from_base64url(*text).value_or("") : std::string();
}

Result<KeyPtr> made(const char* kind, OSSL_PARAM_BLD* build) {
  const std::unique_ptr<OSSL_PARAM, FreeParams> params(OSSL_PARAM_BLD_to_param(build));
  const KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, kind, nullptr));
  EVP_PKEY* key = nullptr;
  if (!params || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, params.get()) != 1) {
    return Status::invalid("its numbers make no key");
  }
  KeyPtr out(key);
  const KeyContext check(EVP_PKEY_CTX_new_from_pkey(nullptr, out.get(), nullptr));
  if (!check || EVP_PKEY_public_check(check.get()) != 1) {
    return Status::invalid("its numbers make no valid public key");
  }
  return out;
}

Result<KeyPtr> read_rsa(const rapidjson::Value& jwk) {
  const std::string n = bytes_in(jwk, "n"), e = bytes_in(jwk, "e");
  const Number modulus(BN_bin2bn(raw(n), static_cast<int>(n.size()), nullptr));
  const Number exponent(BN_bin2bn(raw(e), static_cast<int>(e.size()), nullptr));
  if (!modulus || !exponent) return Status::failed("out of memory");
  const int bits = BN_num_bits(modulus.get());
  if (bits < kLeastBits || bits > kMostBits) {
    return Status::invalid("an RSA key has 2048 to 8192 bits, this one " + std::to_string(bits));
  }
  // Large exponents only cost time.
  constexpr int kMostExponentBits = 64;
  if (BN_num_bits(exponent.get()) < 17 || BN_num_bits(exponent.get()) > kMostExponentBits ||
      !BN_is_odd(exponent.get())) {
    return Status::invalid("its exponent is below 65537, even or too large");
  }
  const Build build(OSSL_PARAM_BLD_new());
  if (!build || OSSL_PARAM_BLD_push_BN(build.get(), OSSL_PKEY_PARAM_RSA_N, modulus.get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(build.get(), OSSL_PKEY_PARAM_RSA_E, exponent.get()) != 1) {
    return Status::failed("out of memory");
  }
  return made("RSA", build.get());
}

Result<KeyPtr> read_ec(const rapidjson::Value& jwk) {
  if (plain_text(member_of(jwk, "crv"), kPoint) != "P-256") {
    return Status::invalid("of the kind EC only the curve P-256 is used");
  }
  const std::string x = bytes_in(jwk, "x"), y = bytes_in(jwk, "y");
  if (x.size() != kPoint || y.size() != kPoint) {
    return Status::invalid("a coordinate of P-256 has 32 bytes");
  }
  const std::string point = "\x04" + x + y;
  const Build build(OSSL_PARAM_BLD_new());
  if (!build ||
      OSSL_PARAM_BLD_push_utf8_string(build.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) !=
          1 ||
      OSSL_PARAM_BLD_push_octet_string(build.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                       point.size()) != 1) {
    return Status::failed("out of memory");
  }
  return made("EC", build.get());
}

Result<KeyPtr> read_okp(const rapidjson::Value& jwk) {
  if (plain_text(member_of(jwk, "crv"), kPoint) != "Ed25519") {
    return Status::invalid("of the kind OKP only the curve Ed25519 is used");
  }
  const std::string x = bytes_in(jwk, "x");
  if (x.size() != kPoint) return Status::invalid("an Ed25519 key has 32 bytes");
  if (is_weak_point(x)) return Status::invalid("an Ed25519 key of low order is no key");
  KeyPtr key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, raw(x), x.size()));
  if (!key) return Status::invalid("its bytes make no key");
  return key;
}

struct Kind {
  std::string_view kty;
  Algorithm algorithm;
  Result<KeyPtr> (*read)(const rapidjson::Value&);
};
constexpr std::array<Kind, 3> kKinds{{{"RSA", Algorithm::rs256, &read_rsa},
                                      {"EC", Algorithm::es256, &read_ec},
                                      {"OKP", Algorithm::eddsa, &read_okp}}};

bool is_text(const rapidjson::Value& value, std::string_view text) {
  return value.IsString() && std::string_view(value.GetString(), value.GetStringLength()) == text;
}

// What the key says of its use allows checking signatures of this algorithm.
Status check_use(const rapidjson::Value& jwk, Algorithm algorithm) {
  for (const std::string_view secret : {"d", "p", "q", "dp", "dq", "qi", "oth", "k"}) {
    if (member_of(jwk, secret) != nullptr) return Status::invalid("it has a private part");
  }
  const auto* use = member_of(jwk, "use");
  if (use != nullptr && !is_text(*use, "sig")) return Status::invalid("its use is not sig");
  if (const auto* ops = member_of(jwk, "key_ops")) {
    const bool verifies =
        ops->IsArray() && std::any_of(ops->Begin(), ops->End(), [](const rapidjson::Value& op) {
          return is_text(op, "verify");
        });
    if (!verifies) return Status::invalid("its key_ops do not list verify");
  }
  const auto* alg = member_of(jwk, "alg");
  if (alg == nullptr) return {};
  const auto named = algorithm_from(plain_text(alg, kPoint).value_or(""));
  return named == algorithm ? Status() : Status::invalid("its alg does not fit its kind");
}

}  // namespace

Result<PublicKey> read_jwk(const rapidjson::Value& jwk) {
  constexpr std::size_t kMaxKid = 256;
  if (!jwk.IsObject()) return Status::invalid("a key is an object");
  const auto kty = plain_text(member_of(jwk, "kty"), kPoint);
  const auto kind = std::find_if(kKinds.begin(), kKinds.end(),
                                 [&](const Kind& known) { return known.kty == kty; });
  if (kind == kKinds.end()) return Status::invalid("its kty is none of RSA, EC, OKP");
  if (Status good = check_use(jwk, kind->algorithm); !good) return good;
  PublicKey out;
  if (const auto* kid = member_of(jwk, "kid")) {
    const auto text = plain_text(kid, kMaxKid);
    if (!text) return Status::invalid("its kid is no text of 1 to 256 bytes");
    out.kid = *text;
  }
  auto key = kind->read(jwk);
  if (!key) return key.status();
  out.algorithm = kind->algorithm;
  out.key = std::move(*key);
  return out;
}

bool is_weak_point(std::string_view point) {
  // y = 0, 1, -1, and both y of order 8, without the sign of x (libsodium has the same list).
  static constexpr std::array<std::array<unsigned char, kPoint>, 4> kLow{{
      {},
      {1},
      {0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4,
       0x89, 0xf2, 0xef, 0x98, 0xf0, 0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6,
       0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05},
      {0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b,
       0x76, 0x0d, 0x10, 0x67, 0x0f, 0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39,
       0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a},
  }};
  std::array<unsigned char, kPoint> y{};
  if (point.size() != y.size()) return true;
  std::copy(point.begin(), point.end(), y.begin());
  y.back() &= 0x7f;
  if (std::find(kLow.begin(), kLow.end(), y) != kLow.end()) return true;
  // p - 1 (order 2) = ec ff … 7f, and from p = ed ff … 7f on the encodings that no encoder makes.
  return y.front() >= 0xec && y.back() == 0x7f &&
         std::all_of(y.begin() + 1, y.end() - 1, [](unsigned char byte) { return byte == 0xff; });
}

}  // namespace gantry::host::jwt

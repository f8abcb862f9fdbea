// Keys that are used, and keys that are skipped.
#include <gtest/gtest.h>

#include "host/auth/jwt/key_set.hpp"
#include "host/base/text.hpp"
#include "tests/host/auth/jwt/kit.hpp"

namespace gantry::host::jwt {
namespace {

// The reason why a key is skipped; empty: it is used.
std::string skipped_for(const std::string& jwk) {
  const auto set = KeySet::read(kit::set_of(jwk + "," + kit::ed("other").jwk()));
  EXPECT_TRUE(set) << set.message();
  return set ? (*set)->first_reason() : "no set";
}

std::string ec_jwk(const std::string& x, const std::string& y) {
  return R"({"kty":"EC","crv":"P-256","x":")" + to_base64url(x) + R"(","y":")" + to_base64url(y) +
         "\"}";
}

TEST(Jwk, UsesKeysOfEachKind) {
  for (const auto& signer : {kit::rsa("r"), kit::ec("e"), kit::ed("d")}) {
    EXPECT_EQ(skipped_for(signer.jwk()), "");
    EXPECT_EQ(skipped_for(signer.jwk(R"(,"use":"sig","alg":")" + signer.algorithm() + "\"")), "");
  }
}

TEST(Jwk, SkipsKeysForOtherUses) {
  const auto e = kit::ec("e");
  for (const char* more : {R"(,"use":"enc")", R"(,"use":1)", R"(,"key_ops":["sign"])",
                           R"(,"key_ops":"verify")", R"(,"alg":"RS256")", R"(,"alg":"ES384")",
                           R"(,"alg":null)", R"(,"d":"AAAA")", R"(,"k":"AAAA")"}) {
    EXPECT_NE(skipped_for(e.jwk(more)), "") << more;
  }
  EXPECT_NE(skipped_for(kit::ed("x").jwk(R"(,"alg":"ES256")")), "");
}

TEST(Jwk, SkipsUnknownKinds) {
  for (const char* jwk : {R"({"kty":"oct","k":"AAAA"})", R"({"kty":"oct"})", R"({"kty":"rsa"})",
                          "{}", "7", R"({"kty":"OKP","crv":"X25519","x":"AAAA"})",
                          R"({"kty":"EC","crv":"P-384","x":"AAAA","y":"AAAA"})", R"({"kty":"RSA"})",
                          R"({"kty":"EC","crv":"P-256"})", R"({"kty":"OKP","crv":"Ed25519"})"}) {
    EXPECT_NE(skipped_for(jwk), "") << jwk;
  }
}

TEST(Jwk, SkipsWeakRsaKeys) {
  EXPECT_NE(skipped_for(kit::rsa("small", 1024).jwk()), "");
  EXPECT_NE(skipped_for(kit::rsa("e3", 2048, 3).jwk()), "");
  const std::string n = to_base64url(std::string(256, '\xf1'));
  for (const std::string e : {"AQ", "Ag", "Aw", "AQAA", ""}) {
    EXPECT_NE(skipped_for(R"({"kty":"RSA","n":")" + n + R"(","e":")" + e + "\"}"), "") << e;
  }
  const std::string huge = to_base64url(std::string(1025, '\xf1'));
  EXPECT_NE(skipped_for(R"({"kty":"RSA","n":")" + huge + R"(","e":"AQAB"})"), "");
}

TEST(Jwk, SkipsPointsThatAreNoKeys) {
  const std::string x(32, 'x'), zero(32, '\0');
  EXPECT_NE(skipped_for(ec_jwk(x, x)), "");        // off the curve
  EXPECT_NE(skipped_for(ec_jwk(zero, zero)), "");  // infinity
  for (const std::size_t size : {0u, 31u, 33u}) {
    EXPECT_NE(skipped_for(ec_jwk(std::string(size, 'x'), x)), "") << size;
    EXPECT_NE(skipped_for(R"({"kty":"OKP","crv":"Ed25519","x":")" +
                          to_base64url(std::string(size, 'x')) + "\"}"),
              "");
  }
}

TEST(Jwk, SkipsEdwardsPointsOfLowOrder) {
  const std::string ff(60, 'f');
  for (const std::string& hex :
       {std::string(64, '0'), "01" + std::string(62, '0'),
        std::string("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
        std::string("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
        "ec" + ff + "7f", "ed" + ff + "7f", "ee" + ff + "7f"}) {
    for (const bool sign : {false, true}) {
      std::string point = kit::unhex(hex);
      if (sign) point.back() = static_cast<char>(point.back() | 0x80);
      EXPECT_TRUE(is_weak_point(point)) << hex;
      EXPECT_NE(skipped_for(R"({"kty":"OKP","crv":"Ed25519","x":")" + to_base64url(point) + "\"}"),
                "");
    }
  }
  EXPECT_FALSE(is_weak_point(std::string(32, 'x')));
}

TEST(KeySet, RefusesTextsThatAreNoSet) {
  std::string many;
  for (int i = 0; i < 65; ++i) many += R"({"kty":"oct"},)";
  many.pop_back();
  for (const std::string& text :
       {std::string("<html>"), std::string(), std::string("{}"), std::string(R"({"keys":{}})"),
        std::string(R"({"keys":[]})"), kit::set_of(R"({"kty":"oct"})"), kit::set_of(many),
        std::string(R"({"keys":[],"keys":[]})"), std::string(300 << 10, ' ')}) {
    EXPECT_FALSE(KeySet::read(text)) << text.substr(0, 100);
  }
}

TEST(KeySet, CountsTheKeysThatItSkips) {
  const auto a = kit::ec("a"), b = kit::ec("a"), c = kit::ec("c");
  const auto set =
      KeySet::read(kit::set_of(a.jwk() + "," + b.jwk() + "," + c.jwk() + R"(,{"kty":"oct"})"));
  ASSERT_TRUE(set);
  EXPECT_EQ((*set)->size(), 1u);
  EXPECT_EQ((*set)->skipped(), 3u);
  EXPECT_EQ((*set)->find("a", Algorithm::es256), nullptr);
  EXPECT_NE((*set)->find("c", Algorithm::es256), nullptr);
  EXPECT_EQ((*set)->find("c", Algorithm::rs256), nullptr);
}

}  // namespace
}  // namespace gantry::host::jwt

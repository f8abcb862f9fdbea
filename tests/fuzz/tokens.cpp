// Fuzzes tokens and key sets. The first byte of an input says what the rest is: 'k' a key set, 't'
// a token, 'c' the claims of a token whose signature is good, and 'e' edits of a good token, three
// bytes each: kind, place, byte.
#include <cstdint>
#include <memory>
#include <string>

#include "host/auth/jwt/claims.hpp"
#include "host/auth/jwt/jws.hpp"
#include "host/auth/jwt/key_set.hpp"
#include "host/base/text.hpp"
#include "require.hpp"

namespace gantry::fuzz {
namespace {

using namespace host::jwt;

constexpr std::int64_t kNow = 1'800'000'000;

const host::JwtIssuer& issuer() {
  static const host::JwtIssuer made = [] {
    host::JwtIssuer out;
    out.issuer = "https://id.example";
    out.audiences = {"https://mcp.example/mcp"};
    out.algorithms = {"RS256", "ES256", "EdDSA"};
    out.tenant_claim = "tenant_id";
    out.roles_claim = "roles";
    out.scopes = {{"data.read", host::Tier::readonly}, {"data.write", host::Tier::write}};
    return out;
  }();
  return made;
}

EVP_PKEY& key() {
  static const KeyPtr made = [] {
    const std::string seed(32, '\7');
    return KeyPtr(EVP_PKEY_new_raw_private_key(
        EVP_PKEY_ED25519, nullptr, reinterpret_cast<const unsigned char*>(seed.data()), 32));
  }();
  return *made;
}

const std::string& good_token() {
  static const std::string made = [] {
    const std::string text =
        host::to_base64url(R"({"alg":"EdDSA","typ":"at+jwt","kid":"k"})") + "." +
        host::to_base64url(
            R"({"iss":"https://id.example","aud":"https://mcp.example/mcp","sub":"u","exp":1800000300,"tenant_id":"acme","roles":["a"],"scope":"data.read"})");
    std::string signature(64, '\0');
    std::size_t size = signature.size();
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    require(EVP_DigestSignInit(context, nullptr, nullptr, nullptr, &key()) == 1 &&
                EVP_DigestSign(context, reinterpret_cast<unsigned char*>(signature.data()), &size,
                               bytes, text.size()) == 1,
            "a token can be signed");
    EVP_MD_CTX_free(context);
    return text + "." + host::to_base64url(signature);
  }();
  return made;
}

Seconds now() { return Seconds(std::chrono::seconds(kNow)); }

bool is_accepted(std::string_view token) {
  Jws jws;
  Claims claims;
  return read_jws(token, jws) && algorithm_from(jws.alg) == Algorithm::eddsa &&
         has_good_type(jws, issuer()) &&
         is_signed(Algorithm::eddsa, key(), jws.signed_text, jws.signature) &&
         !read_claims(jws, issuer(), now(), claims);
}

void check_token(std::string_view token) {
  require(token == good_token() || !is_accepted(token), "a token cannot be made up");
}

void check_edits(std::string_view edits) {
  std::string token = good_token();
  for (; edits.size() >= 3 && !token.empty(); edits.remove_prefix(3)) {
    const std::size_t where = static_cast<unsigned char>(edits[1]) * token.size() / 256;
    if (edits[0] == 'd') {
      token.erase(where, 1);
    } else if (edits[0] == 'i') {
      token.insert(where, 1, edits[2]);
    } else {
      token[where] = edits[2];
    }
  }
  check_token(token);
}

// The claims that a signature covers are strict too.
void check_claims(std::string_view text) {
  Jws jws;
  const std::string token = host::to_base64url(R"({"alg":"EdDSA","typ":"at+jwt"})") + "." +
                            host::to_base64url(text) + ".AAAA";
  Claims claims;
  if (!read_jws(token, jws) || read_claims(jws, issuer(), now(), claims)) return;
  require(claims.issuer == issuer().issuer, "the issuer is the configured one");
  require(claims.user && !claims.user->empty(), "there is a user");
  require(claims.tenant && !claims.tenant->empty(), "there is a tenant");
  require(claims.roles && claims.tier, "roles and tier are of the token");
  require(claims.expires + issuer().skew > now(), "it has not expired");
}

void check_keys(std::string_view text) {
  const auto set = KeySet::read(text);
  if (!set) return require(!set.message().empty(), "a refusal has a sentence");
  require((*set)->size() > 0, "a set has keys");
  for (const Algorithm algorithm : {Algorithm::rs256, Algorithm::es256, Algorithm::eddsa}) {
    const PublicKey* found = (*set)->find(std::nullopt, algorithm);
    if (found == nullptr) continue;
    require(found->algorithm == algorithm, "a key has one algorithm");
    require(!is_signed(algorithm, *found->key, "text", std::string(64, '\0')),
            "zeros are no signature");
  }
}

void check(std::string_view input) {
  if (input.empty()) return;
  const std::string_view rest = input.substr(1);
  switch (input.front()) {
    case 'k':
      return check_keys(rest);
    case 't':
      return check_token(rest);
    case 'c':
      return check_claims(rest);
    default:
      require(is_accepted(good_token()), "the good token is accepted");
      return check_edits(rest);
  }
}

}  // namespace
}  // namespace gantry::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  gantry::fuzz::check({reinterpret_cast<const char*>(data), size});
  return 0;
}

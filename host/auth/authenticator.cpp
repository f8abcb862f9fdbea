#include "host/auth/authenticator.hpp"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>

#include "host/base/text.hpp"

namespace gantry::host {
namespace {

// The token of "Bearer TOKEN"; nothing for another scheme or an empty token.
std::optional<std::string_view> bearer_token(std::string_view header) {
  constexpr std::string_view kScheme = "bearer ";
  if (header.size() <= kScheme.size()) return std::nullopt;
  if (!same_ignoring_case(header.substr(0, kScheme.size()), kScheme)) return std::nullopt;
  const std::string_view token = trimmed(header.substr(kScheme.size()));
  return token.empty() ? std::nullopt : std::optional(token);
}

}  // namespace

Authenticator::Authenticator() : local_{std::make_shared<const Agent>(), "local", "none"} {}

void Authenticator::add_key(std::string_view key, AgentPtr agent, Others others) {
  required_ = required_ || others == Others::refused;
  least_size_ = keys_.empty() ? key.size() : std::min(least_size_, key.size());
  const Digest digest = digest_of(key);
  std::string name = agent->name + ":" + fingerprint_of(digest);
  keys_.push_back({digest, {std::move(agent), std::move(name), "api_key"}});
}

bool Authenticator::has_admin() const {
  return std::any_of(keys_.begin(), keys_.end(),
                     [](const Key& key) { return key.principal.agent->tier == Tier::admin; });
}

std::vector<AgentPtr> Authenticator::agents() const {
  std::vector<AgentPtr> out;
  if (!required_) out.push_back(local_.agent);
  for (const Key& key : keys_) out.push_back(key.principal.agent);
  return out;
}

const Principal* Authenticator::check(const Credentials& credentials, Refusal& refusal,
                                      bool must_bear) const {
  const bool bears = credentials.authorization || credentials.api_key;
  if (!must_bear && (keys_.empty() || (!required_ && !bears))) return &local_;
  const auto secret =
      credentials.authorization ? bearer_token(*credentials.authorization) : credentials.api_key;
  if (!secret || secret->empty()) {
    refusal = {credentials.authorization ? "invalid" : "missing", {}};
    return nullptr;
  }
  const Digest digest = digest_of(*secret);
  const Principal* found = nullptr;
  for (const Key& key : keys_) {
    if (CRYPTO_memcmp(key.digest.data(), digest.data(), digest.size()) == 0) found = &key.principal;
  }
  if (found == nullptr) refusal = {"invalid", fingerprint_of(digest)};
  return found;
}

Authenticator::Digest Authenticator::digest_of(std::string_view secret) {
  Digest digest;
  SHA256(reinterpret_cast<const unsigned char*>(secret.data()), secret.size(), digest.data());
  return digest;
}

std::string Authenticator::fingerprint_of(const Digest& digest) {
  constexpr std::size_t kShown = 4;
  return to_hex({reinterpret_cast<const char*>(digest.data()), kShown});
}

}  // namespace gantry::host

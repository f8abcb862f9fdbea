#include "host/auth/credential_table.hpp"

#include <algorithm>
#include <utility>

#include "host/auth/digest.hpp"
#include "host/auth/keys/key_text.hpp"
#include "host/base/text.hpp"

namespace gantry::host {
namespace {

// Of 64 hex digits, which the key file's reader has checked.
Sha256 digest_of_hex(std::string_view hex) {
  const std::string bytes = from_hex(hex).value_or("");
  Sha256 out{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), out.size()), out.begin());
  return out;
}

}  // namespace

void CredentialTable::add_key(std::string_view key, const Agent& agent) {
  least_size_ = keys_.empty() ? key.size() : std::min(least_size_, key.size());
  const Sha256 digest = sha256(key);
  keys_.push_back(
      {digest, make_principal(agent, agent.name + ":" + fingerprint_of(digest), "api_key")});
}

void CredentialTable::add(Stored key) {
  const Sha256 digest = digest_of_hex(key.sha256);
  std::string id = key.id;
  stored_.insert_or_assign(std::move(id), StoredDigest{digest, std::move(key)});
}

std::vector<PrincipalPtr> CredentialTable::principals() const {
  std::vector<PrincipalPtr> out;
  if (others_) out.push_back(others_);
  for (const Key& key : keys_) out.push_back(key.principal);
  for (const auto& [id, entry] : stored_) {
    if (entry.key.principal) out.push_back(entry.key.principal);
  }
  return out;
}

PrincipalNames CredentialTable::names() const {
  PrincipalNames out;
  for (const PrincipalPtr& principal : principals()) out.insert(principal->name);
  return out;
}

bool CredentialTable::has(std::string_view principal) const {
  const auto all = principals();
  return std::any_of(all.begin(), all.end(),
                     [&](const PrincipalPtr& each) { return each->name == principal; });
}

PrincipalPtr CredentialTable::find(std::string_view secret, Seconds now, Refusal& refusal) const {
  const Sha256 digest = sha256(secret);
  if (const auto id = key_id(secret)) {
    if (auto found = find_stored(*id, digest, now, refusal)) return found;
    if (!refusal.reason.empty()) return nullptr;
  }
  PrincipalPtr found;
  for (const Key& key : keys_) {
    if (same_digest(key.digest, digest)) found = key.principal;
  }
  if (!found) refusal = {"invalid", fingerprint_of(digest)};
  return found;
}

// Null without a reason: no stored key. One digest is compared, also if the id is unknown.
PrincipalPtr CredentialTable::find_stored(std::string_view id, const Sha256& digest, Seconds now,
                                          Refusal& refusal) const {
  static const StoredDigest kDummy{};
  const auto found = stored_.find(id);
  const StoredDigest& entry = found == stored_.end() ? kDummy : found->second;
  const bool same = same_digest(entry.digest, digest);
  if (!same || found == stored_.end()) return nullptr;
  if (entry.key.expires && *entry.key.expires <= now) {
    refusal = {"expired", fingerprint_of(digest)};
    return nullptr;
  }
  if (!entry.key.principal) {
    refusal = {"no_profile", fingerprint_of(digest)};
    return nullptr;
  }
  if (entry.key.use) {
    *entry.key.use =
        std::chrono::duration_cast<std::chrono::minutes>(now.time_since_epoch()).count();
  }
  return entry.key.principal;
}

}  // namespace gantry::host

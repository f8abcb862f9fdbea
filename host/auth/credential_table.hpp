// host/auth/credential_table.hpp: the credentials that are accepted at one time, and the principal
// of each.
//
// Holds hashes of keys, never the keys. Filled by one thread, then immutable and read by any.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "host/auth/principal.hpp"
#include "host/base/sha256.hpp"
#include "host/base/text.hpp"

namespace gantry::host {

struct Refusal {
  // "missing", "invalid", "expired" or "no_profile", and of tokens those of CheckedToken; for the
  // log alone.
  std::string_view reason;
  std::string fingerprint{};  // of the credential that was sent: 8 hex digits, or empty
  // Set for tokens only: members of CheckedToken.
  std::shared_ptr<const TokenGrant> grant{};
  std::string waits_for{};
};

// The minute of a key's last use, since 1970; 0: not since the key was read. Written by requests.
using KeyUse = std::atomic<std::int64_t>;

class CredentialTable {
 public:
  using Seconds = std::chrono::sys_seconds;

  // A key that an operator made (host/auth/keys).
  struct Stored {
    std::string id, sha256;  // sha256: 64 hex digits
    PrincipalPtr principal;  // null: its profile does not exist
    std::optional<Seconds> expires;
    std::shared_ptr<KeyUse> use;  // may be null
  };

  // `others`: the principal of requests without a credential; null: they are refused.
  explicit CredentialTable(PrincipalPtr others) : others_(std::move(others)) {}

  void set_others(PrincipalPtr others) { others_ = std::move(others); }
  // A key of the server's environment. The principal's name holds the key's fingerprint.
  void add_key(std::string_view key, const Agent& agent);
  void add(Stored key);
  // Callers are to be told apart from now on, even while there is no key: an agents file is there.
  void set_configured() { configured_ = true; }

  // Some credential can be presented, so one can be wrong, and answers depend on it.
  bool is_configured() const { return configured_ || !keys_.empty() || !stored_.empty(); }
  const PrincipalPtr& others() const { return others_; }
  std::size_t least_key_size() const { return least_size_; }
  std::size_t stored() const { return stored_.size(); }
  // Everything that a request can act as.
  std::vector<PrincipalPtr> principals() const;
  PrincipalNames names() const;
  // True if a principal of principals() has this name.
  bool has(std::string_view principal) const;

  // The principal of the key `secret`; null and the reason. Takes the same time for every wrong key
  // of one length.
  PrincipalPtr find(std::string_view secret, Seconds now, Refusal& refusal) const;

 private:
  struct Key {
    Sha256 digest;
    PrincipalPtr principal;
  };
  struct StoredDigest {
    Sha256 digest;
    Stored key;
  };
  PrincipalPtr find_stored(std::string_view id, const Sha256& digest, Seconds now,
                           Refusal& refusal) const;

  PrincipalPtr others_;
  std::vector<Key> keys_;
  std::unordered_map<std::string, StoredDigest, TextHash, std::equal_to<>> stored_;  // by id
  bool configured_ = false;
  std::size_t least_size_ = 0;
};

}  // namespace gantry::host

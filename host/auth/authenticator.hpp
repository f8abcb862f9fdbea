// host/auth/authenticator.hpp: finds the agent of a credential.
//
// Holds hashes of keys, never the keys. Immutable once made; any thread.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/auth/agent.hpp"
#include "host/auth/token_check.hpp"

namespace gantry::host {

// As the client sent them.
struct Credentials {
  std::optional<std::string_view> authorization;  // the header Authorization
  std::optional<std::string_view> api_key;        // the header X-MCP-API-Key
};

// An authenticated caller: its agent profile and the name of its credential.
struct Principal {
  AgentPtr agent;
  std::string name;       // equal for all requests of one credential; owns sessions
  std::string auth_type;  // "none", "api_key" or "jwt"
  // Of a token: what it was granted; else null.
  std::shared_ptr<const TokenGrant> token{};
};

struct Refusal {
  std::string_view reason;  // "missing" or "invalid", for the log alone
  std::string fingerprint;  // of the credential that was sent: 8 hex digits, or empty
};

class Authenticator {
 public:
  enum class Others { refused, local };

  // Without keys every request acts as the agent `local`.
  Authenticator();

  // Requests that bear `key` act as `agent`. Requests without a key are refused from now on, unless
  // `others` lets them act as `local` for every key. Call before the first check().
  void add_key(std::string_view key, AgentPtr agent, Others others = Others::refused);

  // Requests without a credential are refused.
  bool is_configured() const { return required_; }
  // At least one key is configured, so a credential can be wrong.
  bool has_keys() const { return !keys_.empty(); }
  // Characters of the shortest key; 0 without any.
  std::size_t least_key_size() const { return least_size_; }
  // Some credential acts as an agent with the tier admin.
  bool has_admin() const;
  // All agents that a request can act as.
  std::vector<AgentPtr> agents() const;

  // The principal, or null and the reason in `refusal`. Takes the same time for every wrong key
  // of one length. Authorization goes first when both are sent. With `must_bear` a
  // request without a credential is refused, even if others would act as `local`.
  const Principal* check(const Credentials& credentials, Refusal& refusal,
                         bool must_bear = false) const;

 private:
  using Digest = std::array<unsigned char, 32>;
  struct Key {
    Digest digest;
    Principal principal;
  };
  static Digest digest_of(std::string_view secret);
  static std::string fingerprint_of(const Digest& digest);

  Principal local_;
  std::vector<Key> keys_;
  bool required_ = false;
  std::size_t least_size_ = 0;
};

}  // namespace gantry::host
